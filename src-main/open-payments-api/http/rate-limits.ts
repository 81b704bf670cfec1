import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyContextConfig, FastifyRequest } from 'fastify';
import type { Client } from '../../access/clients/clients.ts';
import type { StrangerRows } from '../../access/clients/stranger-rows.ts';
import type { Cost } from '../../access/clients/tier-limits.ts';
import type { Tier } from '../../access/tables.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Core } from '../../platform/core.ts';
import { RateLimiter } from '../../platform/limits/rate-limiter.ts';
import { networkOf, siteOf } from '../../platform/outbound-http/targets.ts';
import type { Refusals } from '../../platform/overload/refusals.ts';
import { threadMs } from '../../platform/processor.ts';
import { KnownCallers } from './known-callers.ts';
import type { Pressure } from './pressure.ts';
import { ApiProblem } from './problems.ts';
import { ProcessorShares } from './processor-shares.ts';
import { type Refusal, type Stranger, StrangerBudgets } from './stranger-budgets.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The client whose signature has been verified; see {@link signedBy}. */
    signedBy: Client | undefined;
    /** The stranger that pays for the request. It is undefined for a client that the node trusts. */
    paidBy: Stranger | undefined;
    /** Whether the request comes from the device of a paired till, which is the shop's own. */
    ofTill: boolean | undefined;
    /** A note of {@link ProcessorShares}. It is undefined when the request is not under way. */
    processor: number | undefined;
  }
  interface FastifyContextConfig {
    /** About as many bytes as a request to the route leaves on the disk, besides its body. */
    stores?: number;
    /** Whether a request to the route makes a thing that stays until somebody pays, uses or allows it. */
    leavesThings?: true;
    /**
     * Whether the answer waits for what others do. Nobody has to wait for such a request, and its sender pays only for
     * what the route reads by {@link longPoll}.
     */
    waits?: true;
    /** Whether the route is for somebody who watches the node. Pressure and failures of others never close it. */
    forWatchers?: true;
  }
  interface FastifyInstance {
    rateLimits: RateLimits | undefined;
  }
}

/** The requests per second in the long run (decisions.md#D-05). 0 means no limit. */
interface RateSettings {
  /** The limit of one network address, before anything is verified. A request that fails counts as 20. */
  perAddress: number;
  /**
   * The limit of one client. A request counts once its signature has been verified, so that nobody can use up another
   * client's requests.
   */
  perClient: number;
}

/** The number of requests as which a failed one counts (decisions.md#D-05). */
const FAILURE_WEIGHT = 20;
/** The requests of this many seconds may come at once. */
const BURST_SECONDS = 2;

interface Parts extends Pick<Core, 'clock'> {
  tierOf?: (client: Client) => Promise<Tier>;
  pressure?: PressureGate;
  /** Notes each request that the node refuses because it has too much to do. */
  refusals?: Pick<Refusals, 'note'> | undefined;
  /** The number of processes that share the limits. Without it there is one. */
  shares?: (() => number) | undefined;
  /** The processor time that the node's own thread has used so far, in milliseconds. */
  processor?: () => number;
  /** Waits before a stranger, or a peer without room, hears that it is refused. */
  holdBack?: () => Promise<unknown>;
  /** What counts the things that strangers leave. Without it nobody counts them. */
  rows?: Pick<StrangerRows, 'refusalOf' | 'note'>;
}

/** The part of {@link Pressure} that the limits use. */
export type PressureGate = Pick<Pressure, 'shed'> & Partial<Pick<Pressure, 'isFull' | 'begin'>>;

/**
 * The wait of a stranger, or of a peer without room, for a refusal, in milliseconds. No refusal asks it to come again
 * sooner.
 */
const HELD_BACK_MS = 1_000;

/** The facts by which a request is counted. */
interface Counted extends Pick<FastifyRequest, 'ip' | 'headers' | 'paidBy'> {
  method?: string;
  raw?: Pick<FastifyRequest['raw'], 'socket'>;
  routeOptions: { config: Pick<FastifyContextConfig, 'forWatchers'> };
}

/** The room that a request needs before the node reads it. The node takes what the request uses afterwards. */
const LEAST = { failures: 1, processor: 0.1 };

/** Things go after days, so a client that comes again within the hour learns nothing new. */
const THINGS_WAIT = { words: 'Too much that nobody has paid or used waits here. Try again later.', retryAfterSeconds: 3_600 };
/** The longest life of a stranger's incoming payment, if the stranger names no end: 90 days. */
const STRANGERS_END_MS = 90 * 24 * 60 * 60_000;

/** Counts requests: by address before their signature is verified, by client afterwards. */
export class RateLimits {
  readonly #addresses: RateLimiter | undefined;
  readonly #clients: RateLimiter | undefined;
  readonly #strangers: StrangerBudgets | undefined;
  readonly #rows: Parts['rows'];
  readonly #clock: Clock;
  readonly #known: KnownCallers;
  readonly #shares: ProcessorShares;
  readonly #tierOf: (client: Client) => Promise<Tier>;
  readonly #pressure: PressureGate;
  readonly #refusals: Parts['refusals'];
  /** The last time at which each connection heard that the node has too much to do. */
  readonly #told = new WeakMap<object, number>();
  readonly #holdBack: () => Promise<unknown>;

  constructor({ perAddress, perClient }: RateSettings, parts: Parts) {
    const { clock, tierOf = async () => 'stranger', pressure = { shed: 'nobody' }, processor = threadMs } = parts;
    this.#holdBack = parts.holdBack ?? (() => pause(HELD_BACK_MS, undefined, { ref: false }));
    const limiter = (perSecond: number) =>
      perSecond === 0 ? undefined : new RateLimiter({ perSecond, burst: Math.max(1, perSecond * BURST_SECONDS) }, clock, parts.shares);
    this.#addresses = limiter(perAddress);
    this.#clients = limiter(perClient);
    this.#strangers = perClient === 0 ? undefined : new StrangerBudgets(clock, parts.shares);
    this.#rows = perClient === 0 ? undefined : parts.rows;
    this.#clock = clock;
    this.#known = new KnownCallers(clock);
    this.#shares = new ProcessorShares(processor);
    this.#tierOf = tierOf;
    this.#pressure = pressure;
    this.#refusals = parts.refusals;
  }

  /**
   * Decides by its headers alone whether the node reads a request at all. Clients that the node trusts come in although
   * others behind the same address fail, and although the node refuses strangers because there is too much to do.
   * @returns the refusal, or undefined when the request may go on.
   */
  refuseUnread(request: Counted): ApiProblem | undefined {
    const network = networkOf(request.ip);
    const refusal = problemOf(this.#addresses?.take(network));
    if (refusal !== undefined || request.routeOptions.config.forWatchers) return refusal;
    request.paidBy = { network };
    const { shed } = this.#pressure;
    const writes = request.method !== 'GET' && request.method !== 'HEAD';
    if (shed === 'everybody' || this.#pressure.isFull?.(writes)) return this.overloaded(request);
    const full = strangerProblem(this.#strangers?.refusalOf({ network }, LEAST));
    if (shed === 'nobody' && full === undefined) return undefined;
    const known = this.#knownPayer(request);
    if (known === undefined) return shed === 'strangers' ? this.overloaded(request) : full;
    request.paidBy = known;
    return undefined;
  }

  /**
   * Refuses a request because the node has too much to do: at once, unless its connection comes again before it may.
   */
  overloaded(request: Pick<Counted, 'raw' | 'paidBy'>): ApiProblem {
    this.#refusals?.note();
    const problem = new ApiProblem('busy');
    const [socket, now] = [request.raw?.socket, this.#clock.monotonic()];
    const told = socket && this.#told.get(socket);
    if (told === undefined || now - told >= 1_000 * (problem.retryAfterSeconds ?? 0)) request.paidBy = undefined;
    if (socket !== undefined) this.#told.set(socket, now);
    return problem;
  }

  /**
   * Notes that a request is under way.
   * @returns a function to call when it has been answered, or nobody waits for it.
   */
  underWay(): (() => void) | undefined {
    return this.#pressure.begin?.();
  }

  /**
   * The payer of a request, if its headers claim a client that the node trusts. Nothing is verified yet, so such
   * requests have budgets of their own, one for each network: nobody elsewhere uses them up.
   */
  #knownPayer({ ip, headers }: Counted): Stranger | undefined {
    const payers = this.#known.knownSigns(headers).map((sign): Stranger => ({ key: `${sign} ${networkOf(ip)}` }));
    return payers.find((payer) => this.#strangers?.refusalOf(payer, { failures: 1 }) === undefined);
  }

  /** Counts a failure of a request. The request itself was counted when it came. */
  countFailure({ ip, paidBy = { network: networkOf(ip) } }: Pick<Counted, 'ip' | 'paidBy'>): void {
    this.#addresses?.charge(networkOf(ip), FAILURE_WEIGHT - 1);
    this.#strangers?.charge(paidBy, { failures: 1 });
  }

  /** Notes that the processor works for a request from here on. */
  begin(request: Pick<FastifyRequest, 'processor'>): void {
    if (this.#strangers !== undefined) request.processor = this.#shares.begin();
  }

  /** Counts the work of the processor for a request that a stranger pays for. It may be called twice. */
  end(request: Pick<FastifyRequest, 'paidBy' | 'processor'>): void {
    if (request.processor === undefined) return;
    const processor = this.#shares.end(request.processor);
    request.processor = undefined;
    if (request.paidBy !== undefined) this.#strangers?.charge(request.paidBy, { processor });
  }

  /** Counts the work of the processor for a part of a request that waits before and after it. */
  async whileWorking<T>(request: Pick<FastifyRequest, 'paidBy' | 'processor'>, work: () => Promise<T>): Promise<T> {
    this.end(request);
    this.begin(request);
    try {
      return await work();
    } finally {
      this.end(request);
    }
  }

  /**
   * Lets a stranger that sends too much wait for its refusal. A connection has one request at a time under way, so a
   * client that comes again at once cannot keep the node busy with refusals.
   */
  async holdBackRefusal(request: Pick<FastifyRequest, 'paidBy' | 'rawBody' | 'body'>, status: number): Promise<void> {
    if (request.paidBy === undefined || (status !== 429 && status !== 503)) return;
    await this.holdBack(request);
  }

  /** Lets a request wait for its answer, whoever sent it. The node lets its body go. */
  async holdBack(request: Pick<FastifyRequest, 'rawBody' | 'body'>): Promise<void> {
    request.rawBody = undefined;
    request.body = undefined;
    await this.#holdBack();
  }

  /**
   * Counts a request whose client is verified.
   * @param stored how many bytes it leaves on the disk.
   * @returns the refusal, or undefined when the request may go on.
   */
  async refuseClient(request: Counted, client: Client, stored: number): Promise<ApiProblem | undefined> {
    const tier = await this.#tierOf(client);
    request.paidBy = tier === 'stranger' ? strangerOf(client, request.ip) : undefined;
    if (tier === 'stranger') this.#known.forget(request.headers, client.id);
    else this.#known.remember(request.headers, client.id);
    if (tier === 'trusted') return undefined;
    return (
      problemOf(this.#clients?.take(client.id)) ?? this.refuseCost(request, { requests: 1, bytes: stored, processor: LEAST.processor })
    );
  }

  /** Whether a stranger has left so much that it may leave no more for now. @returns the refusal, if any. */
  async refuseThing({ paidBy }: Pick<Counted, 'paidBy'>): Promise<ApiProblem | undefined> {
    const full = paidBy && (await this.#rows?.refusalOf(paidBy));
    if (full === undefined) return undefined;
    return full === 'node' ? new ApiProblem('busy', THINGS_WAIT) : new ApiProblem('rate_limited', THINGS_WAIT);
  }

  /** Counts a thing that a request has made, if a stranger pays for it. */
  async noteThing({ paidBy }: Pick<Counted, 'paidBy'>, thingId: string): Promise<void> {
    if (paidBy !== undefined) await this.#rows?.note(paidBy, thingId);
  }

  /**
   * The time at which the node ends a stranger's thing that has no expiry of its own, in milliseconds since the Unix
   * epoch. It is undefined for others, whose things do not end.
   */
  endFor({ paidBy }: Pick<Counted, 'paidBy'>): number | undefined {
    return paidBy === undefined || this.#rows === undefined ? undefined : this.#clock.now() + STRANGERS_END_MS;
  }

  /**
   * Notes that the request comes from the device of a paired till. No stranger pays for it, and it comes in next time
   * although the node refuses strangers behind the same address.
   */
  welcomeTill(request: Pick<FastifyRequest, 'headers' | 'paidBy' | 'ofTill'>, tillId: string): void {
    request.paidBy = undefined;
    request.ofTill = true;
    this.#known.remember(request.headers, `till ${tillId}`);
  }

  /** Counts the node's work before it knows who has signed a request. @returns the refusal, if any. */
  refuseUnverified(request: Counted, cost: Partial<Cost>): ApiProblem | undefined {
    return this.refuseCost({ paidBy: this.#knownPayer(request) ?? request.paidBy }, cost);
  }

  /**
   * Counts the cost of a request, if a stranger pays for it.
   * @param asked a URL at the server that the request makes the node ask.
   * @returns the refusal, if any.
   */
  refuseCost({ paidBy }: Pick<Counted, 'paidBy'>, cost: Partial<Cost>, asked?: string): ApiProblem | undefined {
    const target = asked === undefined ? undefined : siteOf(asked);
    return paidBy && strangerProblem(this.#strangers?.take({ ...paidBy, target }, cost));
  }
}

function strangerOf(client: Client, ip: string): Stranger {
  const origin = client.kind === 'jwk' ? undefined : URL.parse(client.walletAddress)?.host;
  return { key: client.id, network: networkOf(ip), origin };
}

const problemOf = (waitMs = 0): ApiProblem | undefined =>
  waitMs > 0 ? new ApiProblem('rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1_000) }) : undefined;

/**
 * The problem of a caller that has used up its own budget, or of any stranger once all strangers together have used up
 * theirs.
 */
const strangerProblem = (refusal: Refusal | undefined): ApiProblem | undefined =>
  refusal && new ApiProblem(refusal.by === 'node' ? 'busy' : 'rate_limited', { retryAfterSeconds: Math.ceil(refusal.waitMs / 1_000) });

/** The number of times its own length that a body takes on the disk: indexes, events and the log of the database. */
const BODY_FACTOR = 3;
/** The bytes of a remembered nonce with its index. */
const NONCE_BYTES = 300;

/** The bytes that a request leaves on the disk. */
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
  const refusal = await limits?.refuseClient(request, client, storedBytes(request));
  if (refusal !== undefined) throw refusal;
  const full = request.routeOptions.config.leavesThings && (await limits?.refuseThing(request));
  if (full) throw full;
}

/**
 * Whether a refused request counts as a failure. A request that no client has signed may be guessing, probing or a
 * broken client. A fault of the node also counts for a stranger that has signed, because it may have found out how to
 * cause it. Every other refusal counts as one of its requests and no more.
 */
export const isFailure = ({ signedBy, paidBy, ofTill }: FastifyRequest, status: number): boolean =>
  ofTill !== true &&
  status >= 400 &&
  status !== 429 &&
  status !== 503 &&
  (signedBy === undefined || (status >= 500 && paidBy !== undefined));

/** The way in which a route that waits reads: the one who sent the request pays for it. */
export function longPoll(request: FastifyRequest): <T>(read: () => Promise<T>) => Promise<T> {
  const limits = request.server.rateLimits;
  return (read) => (limits === undefined ? read() : limits.whileWorking(request, read));
}
