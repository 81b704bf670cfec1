import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Client } from '../../access/clients/clients.ts';
import type { Clock } from '../../platform/clock.ts';
import { RateLimiter } from '../../platform/rate-limiter.ts';
import { ApiProblem } from './problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client whose signature has been verified; see {@link signedBy}. */
    signedBy: Client | undefined;
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

  constructor({ perAddress, perClient }: RateSettings, clock: Clock) {
    const limiter = (perSecond: number) =>
      perSecond === 0 ? undefined : new RateLimiter({ perSecond, burst: Math.max(1, perSecond * BURST_SECONDS) }, clock);
    this.#addresses = limiter(perAddress);
    this.#clients = limiter(perClient);
  }

  /** Counts a request. @returns the refusal, or undefined when the request may go on. */
  refuseAddress(ip: string): ApiProblem | undefined {
    return problemOf(this.#addresses?.take(addressKey(ip)));
  }

  /** Counts a failure of a request from an address. The request itself was counted when it came. */
  countFailure(ip: string): void {
    this.#addresses?.charge(addressKey(ip), FAILURE_WEIGHT - 1);
  }

  /** Counts a request. @returns the refusal, or undefined when the request may go on. */
  refuseClient(id: string): ApiProblem | undefined {
    return problemOf(this.#clients?.take(id));
  }
}

const problemOf = (waitMs = 0): ApiProblem | undefined =>
  waitMs > 0 ? new ApiProblem('rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1_000) }) : undefined;

/** Addresses of the same IPv6 /64 network count as one, because one customer can use all of them. */
export function addressKey(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = ip.toLowerCase().replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An embedded IPv4 address takes the place of two of the eight groups.
  const written = before.length + after.length + (after.at(-1)?.includes('.') ? 1 : 0);
  const groups = tail === undefined ? before : [...before, ...Array.from({ length: 8 - written }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/**
 * Notes that the signature of a client on this request has been verified. From here on the request counts for the
 * client.
 * @throws ApiProblem `rate_limited`.
 */
export function signedBy(request: FastifyRequest, client: Client): void {
  request.signedBy = client;
  const refusal = request.server.rateLimits?.refuseClient(client.id);
  if (refusal !== undefined) throw refusal;
}

/**
 * Whether a refused request counts as a failure. No client has signed it, so it may be guessing, probing or a broken
 * client.
 */
export const isFailure = (request: FastifyRequest, status: number): boolean =>
  status >= 400 && status < 500 && status !== 429 && request.signedBy === undefined;
