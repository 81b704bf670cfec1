import type { Rate } from '../../platform/rate-limiter.ts';
import type { Tier } from '../tables.ts';

/** What a request uses up. */
export interface Cost {
  requests: number;
  /** Bytes that stay on the disk, with their indexes and events. An estimate is enough. */
  bytes: number;
  /** Requests to others that this one causes. */
  outbound: number;
}

export type Scope = 'key' | 'origin' | 'network' | 'node';

const MB = 1024 * 1024;
const HOUR_S = 3_600;
const anHour = (bytes: number): Rate => ({ perSecond: bytes / HOUR_S, burst: bytes / 2 });

/**
 * What strangers may use up (decisions.md#D-63): each by its key, by the host of its wallet address and by its network,
 * and all of them together. A key, a host and an address cost nothing, so the sums for the node are what protects the
 * disk and other people's servers.
 */
export const STRANGER_BUDGETS: Readonly<Record<Scope, Readonly<Record<keyof Cost, Rate>>>> = {
  key: { requests: { perSecond: 50, burst: 1_000 }, bytes: anHour(16 * MB), outbound: { perSecond: 2, burst: 100 } },
  origin: { requests: { perSecond: 200, burst: 4_000 }, bytes: anHour(32 * MB), outbound: { perSecond: 5, burst: 300 } },
  network: { requests: { perSecond: 500, burst: 10_000 }, bytes: anHour(32 * MB), outbound: { perSecond: 5, burst: 300 } },
  node: { requests: { perSecond: 1_000, burst: 20_000 }, bytes: anHour(100 * MB), outbound: { perSecond: 20, burst: 1_000 } },
};

/** What one client may use up in the long run. `null` means no limit. */
export interface TierLimits {
  requestsPerSecond: number | null;
  bytesPerHour: number | null;
  /** Requests to other wallets that it causes. */
  outboundPerSecond: number | null;
}

/** @param clientRate the setting `--client-rate`. 0 means that nobody is limited. */
export function limitsOf(tier: Tier, clientRate: number): TierLimits {
  if (tier === 'trusted' || clientRate === 0) return { requestsPerSecond: null, bytesPerHour: null, outboundPerSecond: null };
  if (tier === 'known') return { requestsPerSecond: clientRate, bytesPerHour: null, outboundPerSecond: null };
  const { requests, bytes, outbound } = STRANGER_BUDGETS.key;
  return {
    requestsPerSecond: Math.min(requests.perSecond, clientRate),
    bytesPerHour: bytes.perSecond * HOUR_S,
    outboundPerSecond: outbound.perSecond,
  };
}
