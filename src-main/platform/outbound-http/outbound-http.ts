import { CANCELLED, type LookupAddress, NODATA, NOTFOUND, TIMEOUT } from 'node:dns';
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { ClockWitnesses } from '../clock-witnesses.ts';
import { ok, type Result, refuse } from '../result.ts';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';
import { startDeadline } from './deadline.ts';
import { HostNames, type LookUp } from './names.ts';
import { type Agents, closeAgents, createPeerAgents, createPool, POOL_LIMITS, type Pool, type PoolLimits, type PoolName } from './pools.ts';
import { siteOf } from './targets.ts';

/** The reason why there is no answer of use, where the other side or the URL is the reason. */
type HostProblem =
  | 'invalid_url'
  | 'scheme_not_allowed'
  /** The host is an address, or has one, to which this node does not connect. */
  | 'address_not_allowed'
  | 'unreachable'
  /** The name servers or the host did not answer in time, or the caller has given up. */
  | 'timed_out'
  | 'too_large'
  | 'redirected'
  /** The answer has a successful status, but its body is not JSON. */
  | 'not_json';

/**
 * `busy`: this node had no place for the request in time. Nobody was asked, so that says nothing about the host.
 * `not_resolved`: the name servers know no address of the host. `not_secure`: no TLS connection came about.
 */
export type OutboundProblem = HostProblem | 'busy' | 'not_resolved' | 'not_secure';

export interface JsonAnswer {
  /** The HTTP status: from 200 to 299, or 400 and above. */
  status: number;
  /** The parsed JSON. It is undefined when the body was empty, or when a failure had no JSON. */
  body: unknown;
  /** The URL of the request, in its canonical spelling. */
  url: string;
}

export interface BytesRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The most time for the whole request, from the look-up of the host to the last byte. */
  readonly timeoutMs: number;
}

/** An answer of any status, with its body as it came. */
export interface BytesAnswer {
  readonly status: number;
  readonly body: Buffer;
}

export interface BytesProblem {
  readonly problem: HostProblem;
  /** Whether the other side may have got the request. It is false only when no connection was made. */
  readonly sent: boolean;
}

/** HTTP to peers. They are few and known, and the node sends them many requests. */
export interface OutboundBytes {
  /** Sends one POST, on a kept connection if there is one. It never repeats the request and follows no redirect. */
  postBytes(url: string, request: BytesRequest): Promise<Result<BytesAnswer, BytesProblem>>;
  /** Tells whether this node would send a request to the URL, by what it knows before it looks the host up. */
  mayAsk(url: string): boolean;
}

interface TextAnswer {
  /** The HTTP status: from 200 to 299, or 400 and above. */
  readonly status: number;
  /** The body as UTF-8, whatever type it claims to have. */
  readonly text: string;
}

/** Text of other computers that is no JSON, or that the node must read digit by digit. */
export interface OutboundText {
  getText(url: string, options?: GetOptions): Promise<Result<TextAnswer, OutboundProblem>>;
}

/** The one for whom a request is made, and its purpose. They decide whose places the request takes. */
export interface OnBehalf {
  /** `strangers` unless given. */
  pool?: PoolName;
  /**
   * The party that causes the request. Callers share the places of a pool fairly. It is the site of the URL unless
   * given.
   */
  caller?: string | undefined;
}

interface JsonRequest extends OnBehalf {
  headers?: Readonly<Record<string, string>>;
  /** The body, sent unchanged. */
  body?: string | Buffer;
  /** The caller ends the request with it before its deadline. */
  signal?: AbortSignal | undefined;
}

interface GetOptions extends OnBehalf {
  accept?: string;
  signal?: AbortSignal | undefined;
}

/** Requests to other computers. The node makes every request for JSON to another computer through this interface. */
export interface OutboundHttp {
  getJson(url: string, options?: GetOptions): Promise<Result<JsonAnswer, OutboundProblem>>;
  /**
   * Sends a request as given, once, on a connection of its own. A caller that signs the request signs `new
   * URL(url).href`, because that URL is sent.
   */
  requestJson(method: string, url: string, request: JsonRequest): Promise<Result<JsonAnswer, OutboundProblem>>;
  /** Closes the kept connections. */
  close(): void;
}

/** The rules for connections to other computers. */
interface OutboundRules {
  schemes: readonly string[];
  mayConnect(address: string): boolean;
  lookUp: LookUp;
  /** The most time for a whole request, from the wait for a place and the look-up of the host to the last byte. */
  timeoutMs: number;
  pools?: Readonly<Record<PoolName, PoolLimits>>;
  witnesses?: Pick<ClockWitnesses, 'asked'> | undefined;
}

const TIMEOUT_MS = 5_000;
const MAX_BODY = 64 * 1024;
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json[ \t]*(?:;|$)/i;

/**
 * HTTP to other computers that nobody can turn against the node or its network. Requests go over https to public
 * addresses only, follow no redirect and take at most 5 s. Answers are JSON of at most 64 KiB, with at most 16 KiB of
 * headers (the limit of Node.js).
 *
 * @param witnesses hears the clocks of peers, and of wallets with which money is exchanged.
 * @param development also allows http and the addresses of this computer. Other private addresses stay refused.
 */
export function createOutboundHttp({
  development,
  lookUp = new HostNames().lookUp,
  witnesses,
}: {
  development: boolean;
  lookUp?: LookUp;
  witnesses?: ClockWitnesses;
}): GuardedHttp {
  return new GuardedHttp({
    schemes: development ? ['https:', 'http:'] : ['https:'],
    mayConnect: (address) => isPublicAddress(address) || (development && isLoopbackAddress(address)),
    lookUp,
    timeoutMs: TIMEOUT_MS,
    witnesses,
  });
}

class AddressNotAllowed extends Error {}

interface Target {
  url: URL;
  protocol: 'http:' | 'https:';
}

/** The codes of c-ares for silent name servers. All other errors say that nobody can reach the host. */
const SILENT_NAME_SERVERS: ReadonlySet<unknown> = new Set([TIMEOUT, CANCELLED]);
/** The answers of name servers for a host without an address. */
const NO_ADDRESS: ReadonlySet<unknown> = new Set([NOTFOUND, NODATA]);
/** The codes of OpenSSL and Node for a connection without TLS, or with a certificate that nobody can trust. */
const WITHOUT_TLS = /^(EPROTO$|ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/;

function problemOf(error: unknown): OutboundProblem {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (SILENT_NAME_SERVERS.has(code)) return 'timed_out';
  if (NO_ADDRESS.has(code)) return 'not_resolved';
  return typeof code === 'string' && WITHOUT_TLS.test(code) ? 'not_secure' : 'unreachable';
}

/** HTTP to other computers under the given rules. {@link createOutboundHttp} gives it the node's rules. */
export class GuardedHttp implements OutboundHttp, OutboundBytes, OutboundText {
  readonly #rules: OutboundRules;
  readonly #pools: Readonly<Record<PoolName, Pool>>;
  readonly #peers: Agents = createPeerAgents();

  constructor(rules: OutboundRules) {
    this.#rules = rules;
    const { strangers, known, receivers, checkout, money } = rules.pools ?? POOL_LIMITS;
    this.#pools = {
      strangers: createPool(strangers),
      known: createPool(known),
      receivers: createPool(receivers),
      checkout: createPool(checkout),
      money: createPool(money),
    };
  }

  async getJson(url: string, { accept = 'application/json', ...options }: GetOptions = {}): Promise<Result<JsonAnswer, OutboundProblem>> {
    return await this.#send('GET', url, { ...options, headers: { accept } }, readJson);
  }

  async getText(url: string, { accept = 'text/plain', ...options }: GetOptions = {}): Promise<Result<TextAnswer, OutboundProblem>> {
    return await this.#send('GET', url, { ...options, headers: { accept } }, readText);
  }

  async requestJson(method: string, url: string, request: JsonRequest): Promise<Result<JsonAnswer, OutboundProblem>> {
    return await this.#send(method, url, request, readJson);
  }

  close(): void {
    for (const { kept } of Object.values(this.#pools)) closeAgents(kept);
    closeAgents(this.#peers);
  }

  mayAsk(url: string): boolean {
    return this.#target(url).ok;
  }

  async postBytes(text: string, { headers, body, timeoutMs }: BytesRequest): Promise<Result<BytesAnswer, BytesProblem>> {
    const target = this.#target(text);
    if (!target.ok) return refuse({ problem: target.error, sent: false });
    const { url, protocol } = target.value;
    const { signal, end } = startDeadline(timeoutMs);
    const way = { sent: false };
    const hear = this.#hearing(url);
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length, 'accept-encoding': 'identity' },
      lookup: this.#lookup(signal),
      signal,
      agent: this.#peers[protocol],
    };
    try {
      const response = await exchangeOnce(url, options, body, way);
      hear(response);
      const content = await readBody(response);
      if (!content.ok) return refuse({ problem: content.error, sent: true });
      return ok({ status: response.statusCode ?? 0, body: content.value });
    } catch (error) {
      const problem = error instanceof AddressNotAllowed ? 'address_not_allowed' : 'unreachable';
      return refuse({ problem: signal.aborted ? 'timed_out' : problem, sent: way.sent });
    } finally {
      end();
    }
  }

  /** Checks what a URL shows before its host is looked up. */
  #target(text: string): Result<Target, HostProblem> {
    const url = URL.parse(text);
    if (url === null || url.username !== '' || url.password !== '') return refuse('invalid_url');
    if (!isHttp(url.protocol) || !this.#rules.schemes.includes(url.protocol)) return refuse('scheme_not_allowed');
    // A host that is an IP address is never looked up, so `#lookup` does not check it.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !this.#rules.mayConnect(literal)) return refuse('address_not_allowed');
    return ok({ url, protocol: url.protocol });
  }

  async #send<A extends { status: number }>(
    method: string,
    text: string,
    request: JsonRequest,
    read: ReadAnswer<A>,
  ): Promise<Result<A, OutboundProblem>> {
    const target = this.#target(text);
    if (!target.ok) return target;
    const { url } = target.value;
    const { signal: given, pool: name = 'strangers', caller = siteOf(url) } = request;
    const pool = this.#pools[name];
    const { signal, end } = startDeadline(this.#rules.timeoutMs, given);
    try {
      const leave = await pool.gate.enter({ caller, target: siteOf(url) }, signal, pool.waitMs);
      if (leave === undefined) return refuse('busy');
      const hear = name === 'money' ? this.#hearing(url) : undefined;
      const answer = await this.#exchange(method, target.value, { ...request, signal, hear, read }, pool.kept);
      leave(!answer.ok || answer.value.status >= 400);
      return answer;
    } finally {
      end();
    }
  }

  async #exchange<A>(
    method: string,
    { url, protocol }: Target,
    { headers, body, signal, hear, read }: JsonRequest & { signal: AbortSignal; hear: Hear | undefined; read: ReadAnswer<A> },
    kept: Agents,
  ): Promise<Result<A, OutboundProblem>> {
    const options: RequestOptions = {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      lookup: this.#lookup(signal),
      signal,
      // The other side may have closed a kept connection. A request that must not be sent twice gets a new one.
      agent: method === 'GET' ? kept[protocol] : false,
    };
    try {
      const response = await exchange(url, options, body);
      hear?.(response);
      return await readAnswer(url, response, read);
    } catch (error) {
      if (signal.aborted) return refuse('timed_out');
      return refuse(error instanceof AddressNotAllowed ? 'address_not_allowed' : problemOf(error));
    }
  }

  /** Notes a request whose answer tells the time of the clock there. The answer of a cache says nothing about it. */
  #hearing(url: URL): Hear {
    const answered = this.#rules.witnesses?.asked(siteOf(url));
    return ({ headers }) => answered?.(headers.age === undefined ? headers.date : undefined);
  }

  /**
   * Looks the host up once per connection and returns only addresses that it has checked. There is no second look-up
   * that could answer otherwise. The look-up ends with the request.
   */
  #lookup(signal: AbortSignal): LookupFunction {
    const answer = async (hostname: string): Promise<LookupAddress[]> => {
      const addresses = await this.#rules.lookUp(hostname, signal);
      if (!addresses.every(({ address }) => this.#rules.mayConnect(address))) throw new AddressNotAllowed();
      return [...addresses];
    };
    return (hostname, options, done) => {
      answer(hostname).then(
        (addresses) => {
          const [first] = addresses;
          if (first === undefined) done(Object.assign(new Error('the host has no address'), { code: NODATA }), '');
          else if (options.all) done(null, addresses);
          else done(null, first.address, first.family);
        },
        (error: Error) => done(error, ''),
      );
    };
  }
}

type Hear = (response: IncomingMessage) => void;

const isHttp = (protocol: string): protocol is 'http:' | 'https:' => protocol === 'http:' || protocol === 'https:';

function exchange(url: URL, options: RequestOptions, body: string | Buffer | undefined, isRetry = false): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve);
    request.on('error', (error) => {
      // Only GETs use kept connections. A GET whose connection was closed before an answer came is sent once more.
      const isStale = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      if (isStale && !isRetry) exchange(url, options, body, true).then(resolve, reject);
      else reject(error);
    });
    request.end(body);
  });
}

/** The connections that have been established. Bytes that are written to one of them may arrive. */
const made = new WeakSet<object>();

/**
 * Sends one request on a shared connection, without a second try. It sets `way.sent` once a connection is established.
 */
function exchangeOnce(url: URL, options: RequestOptions, body: Buffer, way: { sent: boolean }): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:';
    const request = (isTls ? httpsRequest : httpRequest)(url, options, resolve);
    request.on('socket', (socket) => {
      if (made.has(socket)) {
        way.sent = true;
        return;
      }
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        made.add(socket);
        way.sent = true;
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function readBody(response: IncomingMessage): Promise<Result<Buffer, HostProblem>> {
  if (Number(response.headers['content-length'] ?? 0) > MAX_BODY) return dropped(response, 'too_large');
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) return dropped(response, 'too_large');
    chunks.push(chunk);
  }
  return ok(Buffer.concat(chunks));
}

/** Makes an answer of a whole body. */
type ReadAnswer<A> = (url: URL, response: IncomingMessage, content: Buffer) => Result<A, OutboundProblem>;

async function readAnswer<A>(url: URL, response: IncomingMessage, read: ReadAnswer<A>): Promise<Result<A, OutboundProblem>> {
  const { statusCode: status = 0 } = response;
  if (status >= 300 && status < 400) return dropped(response, 'redirected');
  const content = await readBody(response);
  return content.ok ? read(url, response, content.value) : content;
}

const readJson: ReadAnswer<JsonAnswer> = (url, response, content) => {
  const { statusCode: status = 0 } = response;
  const body = parse(response, content);
  return body === undefined && status < 300 && content.length > 0 ? refuse('not_json') : ok({ status, body, url: url.href });
};

const readText: ReadAnswer<TextAnswer> = (_url, { statusCode: status = 0 }, content) => ok({ status, text: content.toString('utf8') });

function dropped(response: IncomingMessage, problem: HostProblem): Result<never, HostProblem> {
  response.destroy();
  return refuse(problem);
}

/** @returns the parsed JSON. It is undefined when the body is not JSON in UTF-8. */
function parse(response: IncomingMessage, content: Buffer): unknown {
  if (content.length === 0 || !JSON_TYPE.test(response.headers['content-type'] ?? '')) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    return undefined;
  }
}
