import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { FairGate, type GateLimits } from './fair-gate.ts';

/**
 * What a request is for. Each pool has connections and places of its own, so that what strangers cause never takes a
 * place from what the node does for itself.
 * - `strangers`: keys and documents of clients that nobody knows yet.
 * - `known`: keys of clients that have shown some before.
 * - `receivers`: incoming payments that clients name to ask for a price.
 * - `checkout`: wallets of the visitors of a payment page.
 * - `money`: payments that were accepted, and what the operator asks for.
 */
export type PoolName = 'strangers' | 'known' | 'receivers' | 'checkout' | 'money';

export interface PoolLimits extends GateLimits {
  /**
   * How long a request waits for its place, in milliseconds. It is less than the time of a whole request, so that the
   * other side always gets a part of that time.
   */
  readonly waitMs: number;
}

export type Agents = Readonly<{ 'http:': HttpAgent; 'https:': HttpsAgent }>;

export interface Pool {
  readonly gate: FairGate;
  readonly waitMs: number;
  /** The connections for requests that may be sent twice. */
  readonly kept: Agents;
}

/** How many requests are under way and wait, in each pool (decisions.md#D-25). */
export const POOL_LIMITS: Readonly<Record<PoolName, PoolLimits>> = {
  strangers: { atOnce: 128, perCaller: 16, perTarget: 4, waiting: 512, restMs: 1_000, paceMs: 500, waitMs: 2_000 },
  known: { atOnce: 128, perCaller: 64, perTarget: 16, waiting: 1_024, restMs: 0, waitMs: 3_000 },
  receivers: { atOnce: 128, perCaller: 16, perTarget: 16, waiting: 512, restMs: 0, waitMs: 2_000 },
  checkout: { atOnce: 64, perCaller: 8, perTarget: 8, waiting: 256, restMs: 1_000, paceMs: 500, waitMs: 2_000 },
  money: { atOnce: 128, perCaller: 64, perTarget: 32, waiting: 2_048, restMs: 0, waitMs: 3_000 },
};

/** The gate of a pool bounds its connections. An agent with bounds of its own would keep requests nobody waits for. */
const KEEP_ALIVE = { keepAlive: true, maxFreeSockets: 32, timeout: 15_000 };

export const createPool = ({ waitMs, ...limits }: PoolLimits): Pool => ({
  gate: new FairGate(limits),
  waitMs,
  kept: { 'http:': new HttpAgent(KEEP_ALIVE), 'https:': new HttpsAgent(KEEP_ALIVE) },
});

/**
 * Connections to peers. Most servers close an idle connection after 5 s. The node closes it earlier, so that it never
 * sends a packet on a connection that the peer is closing. There is no limit over all peers, because then a silent one
 * would keep the others waiting.
 */
const KEEP_PEERS = { keepAlive: true, maxSockets: 64, maxFreeSockets: 64, timeout: 4_000 };

export const createPeerAgents = (): Agents => ({ 'http:': new HttpAgent(KEEP_PEERS), 'https:': new HttpsAgent(KEEP_PEERS) });

export function closeAgents(agents: Agents): void {
  agents['http:'].destroy();
  agents['https:'].destroy();
}
