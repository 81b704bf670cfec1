import type { Rate } from '../../platform/limits/rate-limiter.ts';
import type { Tier } from '../tables.ts';
import { STRANGER_ROWS } from './stranger-rows.ts';

/** What a request uses up. */
export interface Cost {
  requests: number;
  /** Bytes that stay on the disk, with their indexes and events. An estimate is enough. */
  bytes: number;
  /** Requests to others that this one causes. */
  outbound: number;
  /** Processor time in milliseconds. It is known afterwards, so a budget may be used up by the request before. */
  processor: number;
  /** Requests that were refused and that nobody had signed. */
  failures: number;
}

export type Scope = 'key' | 'origin' | 'network' | 'target' | 'node';

const MB = 1024 * 1024;
const HOUR_S = 3_600;
const anHour = (bytes: number): Rate => ({ perSecond: bytes / HOUR_S, burst: bytes / 2 });

/** The limit on failures of a network, and of a key that requests name before they are verified. */
const FAILURES: Rate = { perSecond: 2, burst: 200 };

/**
 * What strangers may use up (decisions.md#D-63): each by its key, by the host of its wallet address and by its network,
 * and all of them together. A key, a host and an address cost nothing, so the sums for the node are what protects the
 * disk and other people's servers. `target` is one server that they make the node ask.
 */
export const STRANGER_BUDGETS = {
  key: {
    requests: { perSecond: 50, burst: 1_000 },
    bytes: anHour(16 * MB),
    outbound: { perSecond: 2, burst: 100 },
    processor: { perSecond: 100, burst: 1_000 },
    failures: FAILURES,
  },
  origin: {
    requests: { perSecond: 200, burst: 4_000 },
    bytes: anHour(32 * MB),
    outbound: { perSecond: 5, burst: 300 },
    processor: { perSecond: 200, burst: 1_500 },
  },
  network: {
    requests: { perSecond: 500, burst: 10_000 },
    bytes: anHour(32 * MB),
    outbound: { perSecond: 5, burst: 300 },
    processor: { perSecond: 300, burst: 2_000 },
    failures: FAILURES,
  },
  target: { outbound: { perSecond: 10, burst: 100 } },
  node: {
    requests: { perSecond: 1_000, burst: 20_000 },
    bytes: anHour(100 * MB),
    outbound: { perSecond: 20, burst: 1_000 },
    processor: { perSecond: 400, burst: 3_000 },
  },
} satisfies Readonly<Record<Scope, Readonly<Partial<Record<keyof Cost, Rate>>>>>;

/** What one client may use up in the long run. `null` means no limit. */
export interface TierLimits {
  requestsPerSecond: number | null;
  /** Requests that name its key and are refused. */
  failuresPerSecond: number | null;
  /** Requests to other wallets that it causes. */
  outboundPerSecond: number | null;
  bytesPerHour: number | null;
  /** Unpaid incoming payments, unused quotes and grants that nobody has allowed, as many as may lie here at once. */
  rows: number | null;
  /** Milliseconds of processor time in a second. */
  processorPerSecond: number | null;
}

const UNLIMITED: TierLimits = {
  requestsPerSecond: null,
  failuresPerSecond: null,
  outboundPerSecond: null,
  bytesPerHour: null,
  rows: null,
  processorPerSecond: null,
};

/** @param clientRate the setting `--client-rate`. 0 means that nobody is limited. */
export function limitsOf(tier: Tier, clientRate: number): TierLimits {
  if (tier === 'trusted' || clientRate === 0) return UNLIMITED;
  if (tier === 'known') return { ...UNLIMITED, requestsPerSecond: clientRate };
  const { requests, failures, outbound, bytes, processor } = STRANGER_BUDGETS.key;
  return {
    requestsPerSecond: Math.min(requests.perSecond, clientRate),
    failuresPerSecond: failures.perSecond,
    outboundPerSecond: outbound.perSecond,
    bytesPerHour: bytes.perSecond * HOUR_S,
    rows: STRANGER_ROWS.key,
    processorPerSecond: processor.perSecond,
  };
}
