import type { FastifyRequest } from 'fastify';
import type { Client } from '../../access/clients/clients.ts';
import type { Cost } from '../../access/clients/tier-limits.ts';
import type { Tier } from '../../access/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import { networkOf } from '../../platform/outbound-http/targets.ts';
import { RateLimiter } from '../../platform/rate-limiter.ts';
import { ApiProblem } from './problems.ts';
import { type Refusal, StrangerBudgets } from './stranger-budgets.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client whose signature has been verified; see {@link signedBy}. */
    signedBy: Client | undefined;
  }
  interface FastifyContextConfig {
    /** About how many bytes a request to the route leaves on the disk, besides its body. */
    stores?: number;
  }
  interface FastifyInstance {
    rateLimits: RateLimits | undefined;
  }
}

/** Requests per second in the long run (decisions.md#D-05). 0 means no limit. */
interface RateSettings {
  /** From one network address, before anything is verified. A request that fails counts as 20. */
  perAddress: number;
  /**
   * From one client. A request counts once its signature has been verified, so that nobody can use up another client's
   * requests.
   */
  perClient: number;
}

/** A failed request counts as so many (decisions.md#D-05). */
const FAILURE_WEIGHT = 20;
/** The requests of so many seconds may come at once. */
const BURST_SECONDS = 2;

/** Counts requests: by address before their signature is verified, by client afterwards. */
export class RateLimits {
  readonly #addresses: RateLimiter | undefined;
  readonly #clients: RateLimiter | undefined;
  readonly #strangers: StrangerBudgets | undefined;
  readonly #tierOf: (client: Client) => Promise<Tier>;

  constructor({ perAddress, perClient }: RateSettings, clock: Clock, tierOf: (client: Client) => Promise<Tier> = async () => 'stranger') {
    const limiter = (perSecond: number) =>
      perSecond === 0 ? undefined : new RateLimiter({ perSecond, burst: Math.max(1, perSecond * BURST_SECONDS) }, clock);
    this.#addresses = limiter(perAddress);
    this.#clients = limiter(perClient);
    this.#strangers = perClient === 0 ? undefined : new StrangerBudgets(clock);
    this.#tierOf = tierOf;
  }

  /** Counts a request. @returns the refusal, or undefined when the request may go on. */
  refuseAddress(ip: string): ApiProblem | undefined {
    return problemOf(this.#addresses?.take(networkOf(ip)));
  }

  /** Counts a failure of a request from an address. The request itself was counted when it came. */
  countFailure(ip: string): void {
    this.#addresses?.charge(networkOf(ip), FAILURE_WEIGHT - 1);
  }

  /** Counts a request that a client has signed. @returns the refusal, or undefined when the request may go on. */
  async refuseClient(client: Client, ip: string, cost: Partial<Cost>): Promise<ApiProblem | undefined> {
    if (this.#clients === undefined || (await this.#tierOf(client)) === 'trusted') return undefined;
    return problemOf(this.#clients.take(client.id)) ?? (await this.refuseStranger(client, ip, cost));
  }

  /**
   * Counts what a request of a client uses up, if the client is a stranger.
   * @returns the refusal, or undefined when the request may go on.
   */
  async refuseStranger(client: Client, ip: string, cost: Partial<Cost>): Promise<ApiProblem | undefined> {
    if (this.#strangers === undefined || (await this.#tierOf(client)) !== 'stranger') return undefined;
    const origin = client.kind === 'jwk' ? undefined : URL.parse(client.walletAddress)?.host;
    const who = { key: client.id, network: networkOf(ip), ...(origin !== undefined && { origin }) };
    return strangerProblem(this.#strangers.take(who, cost));
  }

  /** Counts what a request uses up that nobody has signed. @returns the refusal, if any. */
  refuseUnsigned(ip: string, cost: Partial<Cost>): ApiProblem | undefined {
    return strangerProblem(this.#strangers?.take({ network: networkOf(ip) }, cost));
  }
}

const problemOf = (waitMs = 0): ApiProblem | undefined =>
  waitMs > 0 ? new ApiProblem('rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1_000) }) : undefined;

/** The caller has used up what is its own, or all strangers together have used up what is theirs. */
const strangerProblem = (refusal: Refusal | undefined): ApiProblem | undefined =>
  refusal && new ApiProblem(refusal.by === 'node' ? 'busy' : 'rate_limited', { retryAfterSeconds: Math.ceil(refusal.waitMs / 1_000) });

/** How much more than its own length a body takes on the disk: indexes, events and the log of the database. */
const BODY_FACTOR = 3;
/** A remembered nonce with its index. */
const NONCE_BYTES = 300;

/** What a request leaves on the disk, in bytes. */
function storedBytes({ routeOptions, rawBody, headers }: FastifyRequest): number {
  const { stores } = routeOptions.config;
  const nonce = String(headers['signature-input'] ?? '').includes('nonce=') ? NONCE_BYTES : 0;
  return nonce + (stores === undefined ? 0 : stores + BODY_FACTOR * (rawBody?.length ?? 0));
}

/**
 * Notes that the signature of a client on this request has been verified. From here on the request counts for the
 * client, and for a stranger also what it will use up.
 * @throws ApiProblem `rate_limited` or `busy`.
 */
export async function signedBy(request: FastifyRequest, client: Client): Promise<void> {
  request.signedBy = client;
  const limits = request.server.rateLimits;
  const refusal = await limits?.refuseClient(client, request.ip, { requests: 1, bytes: storedBytes(request) });
  if (refusal !== undefined) throw refusal;
}

/**
 * Whether a refused request counts as a failure. No client has signed it, so it may be guessing, probing or a broken
 * client. A fault of the node counts as well, because somebody may have found out how to cause it.
 */
export const isFailure = (request: FastifyRequest, status: number): boolean =>
  status >= 400 && status !== 429 && status !== 503 && request.signedBy === undefined;
