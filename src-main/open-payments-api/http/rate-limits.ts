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

/** Requests per second in the long run; 0 for no limit. */
export interface RateSettings {
  /** Of one network address, before anything is verified; a failure counts as 20. */
  perAddress: number;
  /** Of one client, counted only when its signature has been verified: nobody can use up another's. */
  perClient: number;
}

/** How many requests a failed one counts as (decisions, "rate limits"). */
export const FAILURE_WEIGHT = 20;
/** Seconds' worth of requests that may come at once. */
const BURST_SECONDS = 2;

/** Counts requests: by address before verification, by client after it. */
export class RateLimits {
  readonly #addresses: RateLimiter | undefined;
  readonly #clients: RateLimiter | undefined;

  constructor({ perAddress, perClient }: RateSettings, clock: Clock) {
    const limiter = (perSecond: number) =>
      perSecond === 0 ? undefined : new RateLimiter({ perSecond, burst: Math.max(1, perSecond * BURST_SECONDS) }, clock);
    this.#addresses = limiter(perAddress);
    this.#clients = limiter(perClient);
  }

  /** Counts a request. @returns why it is not answered, or undefined. */
  refuseAddress(ip: string): ApiProblem | undefined {
    return problemOf(this.#addresses?.take(addressKey(ip)));
  }

  /** What came from there has failed; the request itself was counted when it came. */
  countFailure(ip: string): void {
    this.#addresses?.charge(addressKey(ip), FAILURE_WEIGHT - 1);
  }

  /** Counts a request. @returns why it is not answered, or undefined. */
  refuseClient(id: string): ApiProblem | undefined {
    return problemOf(this.#clients?.take(id));
  }
}

const problemOf = (waitMs = 0): ApiProblem | undefined =>
  waitMs > 0 ? new ApiProblem('rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1_000) }) : undefined;

/** A customer of an IPv6 network has a /64 to choose addresses from, so that counts as one. */
export function addressKey(ip: string): string {
  if (!isIPv6(ip)) return ip;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = '', tail] = ip.toLowerCase().replace(/%.*$/, '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  // An embedded IPv4 address stands for two of the eight groups.
  const written = before.length + after.length + (after.at(-1)?.includes('.') ? 1 : 0);
  const groups = tail === undefined ? before : [...before, ...Array.from({ length: 8 - written }, () => '0'), ...after];
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}

/**
 * Says that a client's signature on this request has been verified: from here on it is the client that is counted.
 * @throws ApiProblem `rate_limited`.
 */
export function signedBy(request: FastifyRequest, client: Client): void {
  request.signedBy = client;
  const refusal = request.server.rateLimits?.refuseClient(client.id);
  if (refusal !== undefined) throw refusal;
}

/** A refusal of a request that nobody has proven to be theirs: guessing, probing, or a broken client. */
export const isFailure = (request: FastifyRequest, status: number): boolean =>
  status >= 400 && status < 500 && status !== 429 && request.signedBy === undefined;
