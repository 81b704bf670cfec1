import { type Amount, type Asset, sameAsset } from '../../src-shared/amounts.ts';
import type { Core } from '../platform/core.ts';
import { startDeadline } from '../platform/outbound-http/deadline.ts';
import { FairGate, type Leave } from '../platform/outbound-http/fair-gate.ts';
import type { JsonAnswer, OnBehalf, OutboundProblem } from '../platform/outbound-http/outbound-http.ts';
import { siteOf } from '../platform/outbound-http/targets.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { IncomingPaymentDocument, PublicIncomingPaymentDocument } from './documents.ts';
import { LOOK_UPS, LOOK_UPS_FOR_MONEY, RecentFailures } from './look-up-limits.ts';
import { NamedAuthServers, RecentReads } from './read-before.ts';
import type { GrantProblem, GrantUse, RemoteGrants, WantedRight } from './remote-grants.ts';
import type { RemoteWalletAddress } from './wallet-directory.ts';
import { gaveNoAnswer, type WalletAnswer, type WalletHttp, whyNoAnswer } from './wallet-http.ts';

/** The one for whom the node asks another wallet. */
export interface Asker {
  /** Id of the client that makes the node ask. It is null for the operator. */
  client: string | null;
  /** The own wallet address in whose name, and with whose key, the node asks. */
  walletAddressId: string;
  /**
   * The time after which the answer is of no use any more, for a payment that was accepted, in milliseconds since the
   * Unix epoch. Such a look-up has places of its own, waits longer for one, asks again what failed just before, and
   * ends by then.
   */
  until?: number;
}

/**
 * The reason why the node knows nothing of an incoming payment elsewhere.
 * - `unknown_receiver`: the URL cannot be one, or its wallet says that there is none.
 * - `receiver_unreachable`: its wallet, or that wallet's authorization server, gave no usable answer. Hosts with which
 * the node does not talk look the same.
 * - `receiver_refused`: its wallet does not let this node read it.
 * - `receiver_busy`: this node had no place for the look-up in time.
 */
export type RemoteProblem = 'unknown_receiver' | 'receiver_unreachable' | 'receiver_refused' | 'receiver_busy';

/** An incoming payment of another wallet, as that wallet describes it now. */
export interface RemoteIncomingPayment {
  url: string;
  walletAddress: string;
  asset: Asset;
  /**
   * The most that the payment takes, in smallest units of `asset`. It is undefined when there is no limit. Like
   * `received` it is at most 2^64−1.
   */
  incomingAmount?: bigint | undefined;
  received: bigint;
  /** The end, in milliseconds since the Unix epoch. */
  expiresAt?: number | undefined;
  completed: boolean;
  /**
   * The way in which the payment takes money, with its 32-byte secret. It is absent when the payment takes no more
   * money.
   */
  method?: { ilpAddress: string; sharedSecret: Buffer } | undefined;
}

/** Reads incoming payments of other wallets. */
export interface IncomingPaymentReader {
  get(url: string, asker: Asker): Promise<Result<RemoteIncomingPayment, RemoteProblem>>;
  /**
   * The payment as the node read it for a price in the last two seconds, in the same wallet address's name. It is given
   * out once.
   */
  takeRecent(url: string, walletAddressId: string): RemoteIncomingPayment | undefined;
}

/** The facts of a new incoming payment at another wallet. */
interface NewRemoteIncomingPayment {
  walletAddress: RemoteWalletAddress;
  incomingAmount?: Amount | undefined;
  /** The end, in milliseconds since the Unix epoch. */
  expiresAt?: number | undefined;
  metadata?: Record<string, unknown> | undefined;
  /** The one for whom the node asks the other wallet. It is money unless given. */
  behalf?: OnBehalf | undefined;
}

/**
 * The time for which a look-up may wait for its turn, and that which it may take with the wait, in milliseconds. Both
 * are less than the 5 seconds after which clients give up (decisions.md#D-25, protocol-notes.md#PN-09).
 */
export interface TimeLimits {
  waitMs: number;
  totalMs: number;
}
const TIME_LIMITS: TimeLimits = { waitMs: 2_500, totalMs: 4_800 };
/** The longest wait of an accepted payment for its turn, in milliseconds. */
const ACCEPTED_WAIT_MS = 20_000;

const READ: WantedRight = { type: 'incoming-payment', actions: ['read-all'] };
export const CREATE: WantedRight = { type: 'incoming-payment', actions: ['create', 'read-all'] };

interface Parts extends Pick<Core, 'clock'> {
  http: WalletHttp;
  grants: RemoteGrants;
  /** The standard limits unless given. */
  limits?: TimeLimits;
}

/**
 * Incoming payments of other wallets. What a payment still takes changes with each packet, so an answer is kept for two
 * seconds only, for the payment that follows the price. The grants with which the node reads stay in the database.
 */
export class RemoteIncomingPayments implements IncomingPaymentReader {
  readonly #parts: Parts;
  readonly #asking = new FairGate(LOOK_UPS);
  readonly #paying = new FairGate(LOOK_UPS_FOR_MONEY);
  readonly #failures: RecentFailures<RemoteProblem>;
  readonly #reads: RecentReads<RemoteIncomingPayment>;
  readonly #authServers = new NamedAuthServers();
  readonly #limits: TimeLimits;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#failures = new RecentFailures(parts.clock);
    this.#reads = new RecentReads(parts.clock);
    this.#limits = parts.limits ?? TIME_LIMITS;
  }

  /**
   * Reads an incoming payment in three steps (protocol-notes.md#PN-08). It reads the public part, which names the
   * authorization server. It gets or finds the grant. It reads the whole payment. Where the resource server has named
   * its authorization server before, and a token is at hand, the last step is enough.
   *
   * Look-ups wait their turn, and share their places fairly (decisions.md#D-25). The node remembers a failure for half
   * a minute: for the payment, and for the host where no connection came about. It remembers no failure that may be its
   * own.
   */
  async get(text: string, asker: Asker): Promise<Result<RemoteIncomingPayment, RemoteProblem>> {
    const url = receiverUrl(text);
    if (url === undefined || this.#parts.http.isOwn(url.href)) return refuse('unknown_receiver');
    const known = this.#knownFailure(url, asker);
    if (known !== undefined) return refuse(known);
    const { client, until } = asker;
    const leftMs = until === undefined ? Number.POSITIVE_INFINITY : until - this.#parts.clock.now();
    if (leftMs <= 0) return refuse('receiver_unreachable');
    const accepted = until !== undefined;
    const caller = client === null || this.#parts.http.isOwn(client) ? (client ?? '') : siteOf(client) || client;
    const gate = accepted ? this.#paying : this.#asking;
    const waitMs = accepted ? ACCEPTED_WAIT_MS : this.#limits.waitMs;
    const whole = startDeadline(Math.min(accepted ? waitMs + this.#limits.totalMs : this.#limits.totalMs, leftMs));
    const leave = await gate.enter({ caller, target: siteOf(url) }, whole.signal, waitMs);
    const asking = startDeadline(this.#limits.totalMs, whole.signal);
    try {
      if (leave === undefined) return refuse('receiver_busy');
      const behalf: Behalf = { pool: accepted ? 'money' : 'receivers', caller, signal: asking.signal };
      return await this.#lookUp(url, asker, behalf, leave);
    } finally {
      asking.end();
      whole.end();
    }
  }

  takeRecent(text: string, walletAddressId: string): RemoteIncomingPayment | undefined {
    const url = receiverUrl(text);
    return url && this.#reads.take(keyOf(url, { walletAddressId }));
  }

  /** Creates an incoming payment for a wallet address at another wallet, so that it can be paid. */
  async create(
    { walletAddress, incomingAmount, expiresAt, metadata, behalf = { pool: 'money' } }: NewRemoteIncomingPayment,
    walletAddressId: string,
  ): Promise<Result<RemoteIncomingPayment, RemoteProblem>> {
    const { authServer, resourceServer, id } = walletAddress;
    const body = {
      walletAddress: id,
      ...(incomingAmount && { incomingAmount: { ...incomingAmount, value: incomingAmount.value.toString() } }),
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
      ...(metadata && { metadata }),
    };
    const url = `${resourceServer}/incoming-payments`;
    const made = await this.#parts.grants.use({ authServer, walletAddressId, right: CREATE, resource: url, behalf }, (token) =>
      this.#parts.http.send({ ...behalf, method: 'POST', url, token, body, walletAddressId }),
    );
    if (!made.ok) return refuse(made.error === 'timed_out' ? 'receiver_unreachable' : PROBLEMS[made.error]);
    if (gaveNoAnswer(made)) return refuse('receiver_unreachable');
    if (made.value.status !== 201) return refuse('receiver_refused');
    const payment = readDocument(made.value.body);
    if (payment === undefined || new URL(payment.url).origin !== new URL(resourceServer).origin) return refuse('receiver_unreachable');
    return ok(payment);
  }

  #knownFailure(url: URL, asker: Asker): RemoteProblem | undefined {
    return asker.until === undefined ? (this.#failures.get(url.origin) ?? this.#failures.get(keyOf(url, asker))) : undefined;
  }

  /**
   * Takes the steps.
   * @param leave is called when nothing of the look-up is under way any more, which may be after its time is up.
   */
  async #lookUp(url: URL, asker: Asker, behalf: Behalf, leave: Leave): Promise<Result<RemoteIncomingPayment, RemoteProblem>> {
    // What another look-up found out meanwhile does not have to be asked again.
    const known = this.#knownFailure(url, asker);
    const reading = known === undefined ? this.#read(url, asker, behalf) : Promise.resolve(refuse(known));
    void reading.then(
      (read) => leave(known === undefined && !read.ok),
      () => leave(),
    );
    const found = await Promise.race([reading, ranOut(behalf.signal)]);
    if (found.ok) {
      if (asker.until === undefined) this.#reads.keep(keyOf(url, asker), found.value);
      return found;
    }
    if (found.error === 'timed_out') return refuse('receiver_unreachable');
    if (found.error === 'receiver_busy') return refuse('receiver_busy');
    if (known === undefined) this.#failures.remember(keyOf(url, asker), found.error);
    return refuse(found.error);
  }

  async #read(url: URL, asker: Asker, behalf: Behalf): Promise<Result<RemoteIncomingPayment, ReadProblem>> {
    const direct = await this.#readAtOnce(url, asker, behalf);
    if (direct !== undefined) return direct;
    const shown = await this.#parts.http.get(url.href, behalf);
    if (gaveNoAnswer(shown) || !shown.ok) return this.#noAnswer(url, shown);
    if (shown.value.status !== 200) return refuse(IS_UNKNOWN.has(shown.value.status) ? 'unknown_receiver' : 'receiver_unreachable');
    const open = PublicIncomingPaymentDocument.safeParse(shown.value.body);
    if (!open.success) return refuse('receiver_unreachable');
    const { authServer } = open.data;
    const whole = await this.#parts.grants.use(useOf(authServer, url, asker, behalf), (token) => this.#ask(url, token, asker, behalf));
    if (!whole.ok) return refuse(PROBLEMS[whole.error]);
    if (gaveNoAnswer(whole)) return refuse('receiver_unreachable');
    const payment = readAnswer(url, whole.value);
    if (payment.ok) this.#authServers.note(url, authServer);
    return payment;
  }

  /**
   * Asks with the token at hand, where the node knows the authorization server.
   * @returns undefined when that was no use, and all steps have to be taken.
   */
  async #readAtOnce(url: URL, asker: Asker, behalf: Behalf): Promise<Result<RemoteIncomingPayment, ReadProblem> | undefined> {
    const authServer = this.#authServers.of(url);
    const token = authServer && (await this.#parts.grants.tokenAtHand(useOf(authServer, url, asker, behalf)));
    if (token === undefined) return undefined;
    const whole = await this.#ask(url, token, asker, behalf);
    if (gaveNoAnswer(whole) || !whole.ok) return this.#noAnswer(url, whole);
    if (whole.value.status === 200) return readAnswer(url, whole.value);
    // The token may have run out, or the authorization server may be another one by now.
    this.#authServers.forget(url);
    return undefined;
  }

  async #ask(url: URL, token: string, { walletAddressId }: Asker, behalf: Behalf): Promise<WalletAnswer> {
    return await this.#parts.http.send({ ...behalf, method: 'GET', url: url.href, token, walletAddressId });
  }

  #noAnswer(url: URL, answer: WalletAnswer): Result<never, ReadProblem> {
    if (!answer.ok && WITHOUT_CONNECTION.has(answer.error)) this.#failures.remember(url.origin, 'receiver_unreachable');
    return refuse(PROBLEMS[whyNoAnswer(answer)]);
  }
}

/** Others may share the exchange with the authorization server, so it does not end with this look-up. */
function useOf(authServer: string, url: URL, { walletAddressId }: Asker, { signal: _, ...behalf }: Behalf): GrantUse {
  return { authServer, walletAddressId, right: READ, resource: url.href, behalf };
}

function readAnswer(url: URL, { status, body }: JsonAnswer): Result<RemoteIncomingPayment, RemoteProblem> {
  if (status !== 200) return refuse(status === 404 ? 'unknown_receiver' : 'receiver_refused');
  const payment = readDocument(body);
  return payment === undefined || URL.parse(payment.url)?.href !== url.href ? refuse('receiver_unreachable') : ok(payment);
}

/** The one for whom a look-up is made, and when it ends. */
type Behalf = OnBehalf & { signal: AbortSignal };

/** `timed_out`: the time of the look-up was up. */
type ReadProblem = RemoteProblem | 'timed_out';

const PROBLEMS = {
  unreachable: 'receiver_unreachable',
  refused: 'receiver_refused',
  unknown_key: 'receiver_refused',
  timed_out: 'timed_out',
  busy: 'receiver_busy',
} as const satisfies Record<GrantProblem, ReadProblem>;

/**
 * The statuses with which servers answer for ids that they do not know. The reference implementation answers 401
 * (protocol-notes.md#PN-23).
 */
const IS_UNKNOWN: ReadonlySet<number> = new Set([401, 404, 410]);

/** Problems of a host, not of one of its answers. */
const WITHOUT_CONNECTION: ReadonlySet<OutboundProblem> = new Set<OutboundProblem>([
  'unreachable',
  'address_not_allowed',
  'scheme_not_allowed',
  'not_resolved',
  'not_secure',
]);

/**
 * The key of an answer or a failure. One own wallet address may read what another may not, so the node remembers them
 * for each.
 */
const keyOf = (url: URL, { walletAddressId }: Pick<Asker, 'walletAddressId'>): string => `${walletAddressId} ${url.href}`;

function ranOut(signal: AbortSignal): Promise<Result<never, 'timed_out'>> {
  return new Promise((resolve) => {
    const give = (): void => resolve(refuse('timed_out'));
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });
}

/**
 * Reads a receiver's URL: `…/incoming-payments/{id}` (protocol-notes.md#PN-22), without anything that could mean
 * something else to another reader.
 */
function receiverUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || text.length > 2048) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  // The text is stored and shown, so it may not contain what a URL parser would take away or exchange.
  if (/[\s\p{Cc}\\?#]/u.test(text)) return undefined;
  return /\/incoming-payments\/[^/]+$/.test(url.pathname) && !url.hostname.endsWith('.') ? url : undefined;
}

/** @returns undefined for anything that is not one whole incoming payment in one asset. */
function readDocument(body: unknown): RemoteIncomingPayment | undefined {
  const document = IncomingPaymentDocument.safeParse(body);
  if (!document.success) return undefined;
  const { id, walletAddress, completed, incomingAmount, receivedAmount, expiresAt, methods } = document.data;
  if (incomingAmount !== undefined && !sameAsset(incomingAmount, receivedAmount)) return undefined;
  const { assetCode, assetScale, value: received } = receivedAmount;
  return {
    url: id,
    walletAddress,
    asset: { assetCode, assetScale },
    incomingAmount: incomingAmount?.value,
    received,
    expiresAt,
    completed,
    method: methods && { ilpAddress: methods.ilpAddress, sharedSecret: methods.sharedSecret },
  };
}
