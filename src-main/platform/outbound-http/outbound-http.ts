import { lookup } from 'node:dns/promises';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { ok, type Result, refuse } from '../result.ts';
import { isLoopbackAddress, isPublicAddress } from './addresses.ts';

export type OutboundProblem =
  | 'invalid_url'
  | 'scheme_not_allowed'
  /** The host is, or resolves to, an address this node does not talk to. */
  | 'address_not_allowed'
  | 'unreachable'
  | 'timed_out'
  | 'too_large'
  | 'redirected'
  /** A success without JSON in it. */
  | 'not_json';

export interface JsonAnswer {
  /** 200 to 299, or 400 and above. */
  status: number;
  /** Parsed JSON; undefined when a failure came without it, or nothing came. */
  body: unknown;
  /** The URL that was asked, in its canonical spelling. */
  url: string;
}

export interface BytesRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** For the whole request, from the look-up to the last byte. */
  readonly timeoutMs: number;
}

/** Any answer at all, with its body as it came. */
export interface BytesAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** `sent`: whether the other side may have got the request. It is false only when no connection was made. */
export interface BytesProblem {
  readonly problem: OutboundProblem;
  readonly sent: boolean;
}

/** The way to other nodes: few, known, and asked often. */
export interface OutboundBytes {
  /** POSTs once, never again by itself, on a kept connection if there is one. Redirects are not followed. */
  postBytes(url: string, request: BytesRequest): Promise<Result<BytesAnswer, BytesProblem>>;
  /** Whether a URL is one this node would ask, as far as can be told without looking its host up. */
  mayAsk(url: string): boolean;
}

export interface JsonRequest {
  headers?: Readonly<Record<string, string>>;
  /** The very bytes to send. */
  body?: string | Buffer;
  /** Ends the request before its own time is up. */
  signal?: AbortSignal | undefined;
}

/** The node's only way to other computers. */
export interface OutboundHttp {
  getJson(url: string, options?: { accept?: string; signal?: AbortSignal | undefined }): Promise<Result<JsonAnswer, OutboundProblem>>;
  /** Sends a request as given, once, on a connection of its own. Sign `new URL(url).href`: that is what goes out. */
  requestJson(method: string, url: string, request: JsonRequest): Promise<Result<JsonAnswer, OutboundProblem>>;
  /** Lets go of kept connections. */
  close(): void;
}

/** Finds every address of a host name. */
export type Resolve = (hostname: string) => Promise<{ address: string; family: number }[]>;

/** Which connections are made. */
export interface OutboundRules {
  schemes: readonly string[];
  mayConnect(address: string): boolean;
  resolve: Resolve;
  /** For a whole request, from the look-up to the last byte. */
  timeoutMs: number;
}

const TIMEOUT_MS = 5_000;
const MAX_BODY = 64 * 1024;
const KEEP_ALIVE = { keepAlive: true, maxSockets: 8, maxTotalSockets: 64, maxFreeSockets: 16, timeout: 15_000 };
/** To other nodes. Idle ones are let go before a usual server would (5 s), so that a packet never meets a connection that is closing. */
const KEEP_PEERS = { keepAlive: true, maxSockets: 64, maxTotalSockets: 256, maxFreeSockets: 64, timeout: 4_000 };
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json[ \t]*(?:;|$)/i;

/**
 * HTTP to other computers that cannot be turned against the node or its network: https to public addresses only, no
 * redirects, at most 5 s, 64 KiB (and node's 16 KiB of headers), JSON.
 *
 * @param development allows http, and this computer's own addresses; other private ones stay refused.
 */
export function createOutboundHttp({ development, resolve = lookUp }: { development: boolean; resolve?: Resolve }): GuardedHttp {
  return new GuardedHttp({
    schemes: development ? ['https:', 'http:'] : ['https:'],
    mayConnect: (address) => isPublicAddress(address) || (development && isLoopbackAddress(address)),
    resolve,
    timeoutMs: TIMEOUT_MS,
  });
}

const lookUp: Resolve = (hostname) => lookup(hostname, { all: true });

class AddressNotAllowed extends Error {}

/** {@link createOutboundHttp} with rules of one's own. */
export class GuardedHttp implements OutboundHttp, OutboundBytes {
  readonly #rules: OutboundRules;
  readonly #kept: { 'http:': HttpAgent; 'https:': HttpsAgent };
  readonly #peers: { 'http:': HttpAgent; 'https:': HttpsAgent };

  constructor(rules: OutboundRules) {
    this.#rules = rules;
    this.#kept = { 'http:': new HttpAgent(KEEP_ALIVE), 'https:': new HttpsAgent(KEEP_ALIVE) };
    this.#peers = { 'http:': new HttpAgent(KEEP_PEERS), 'https:': new HttpsAgent(KEEP_PEERS) };
  }

  async getJson(
    url: string,
    { accept = 'application/json', signal }: { accept?: string; signal?: AbortSignal | undefined } = {},
  ): Promise<Result<JsonAnswer, OutboundProblem>> {
    return await this.#send('GET', url, { headers: { accept }, signal });
  }

  async requestJson(method: string, url: string, request: JsonRequest): Promise<Result<JsonAnswer, OutboundProblem>> {
    return await this.#send(method, url, request);
  }

  close(): void {
    this.#kept['http:'].destroy();
    this.#kept['https:'].destroy();
    this.#peers['http:'].destroy();
    this.#peers['https:'].destroy();
  }

  mayAsk(url: string): boolean {
    return this.#target(url).ok;
  }

  async postBytes(text: string, { headers, body, timeoutMs }: BytesRequest): Promise<Result<BytesAnswer, BytesProblem>> {
    const target = this.#target(text);
    if (!target.ok) return refuse({ problem: target.error, sent: false });
    const { url, protocol } = target.value;
    const signal = AbortSignal.timeout(timeoutMs);
    const way = { sent: false };
    const options: RequestOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': body.length, 'accept-encoding': 'identity' },
      lookup: this.#lookup,
      signal,
      agent: this.#peers[protocol],
    };
    try {
      const response = await exchangeOnce(url, options, body, way);
      const content = await readBody(response);
      if (!content.ok) return refuse({ problem: content.error, sent: true });
      return ok({ status: response.statusCode ?? 0, body: content.value });
    } catch (error) {
      const problem = error instanceof AddressNotAllowed ? 'address_not_allowed' : 'unreachable';
      return refuse({ problem: signal.aborted ? 'timed_out' : problem, sent: way.sent });
    }
  }

  /** What can be told of a URL before its host is looked up. */
  #target(text: string): Result<{ url: URL; protocol: 'http:' | 'https:' }, OutboundProblem> {
    const url = URL.parse(text);
    if (url === null || url.username !== '' || url.password !== '') return refuse('invalid_url');
    if (!isHttp(url.protocol) || !this.#rules.schemes.includes(url.protocol)) return refuse('scheme_not_allowed');
    // Addresses are not looked up, so the connection's own look-up never sees them.
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && !this.#rules.mayConnect(literal)) return refuse('address_not_allowed');
    return ok({ url, protocol: url.protocol });
  }

  async #send(method: string, text: string, { headers, body, signal: given }: JsonRequest): Promise<Result<JsonAnswer, OutboundProblem>> {
    const target = this.#target(text);
    if (!target.ok) return target;
    const { url, protocol } = target.value;
    const own = AbortSignal.timeout(this.#rules.timeoutMs);
    const signal = given === undefined ? own : AbortSignal.any([own, given]);
    const options: RequestOptions = {
      method,
      headers: { ...headers, 'accept-encoding': 'identity' },
      lookup: this.#lookup,
      signal,
      // A kept connection may have ended unseen; what may not be sent twice gets one of its own.
      agent: method === 'GET' ? this.#kept[protocol] : false,
    };
    try {
      const response = await exchange(url, options, body);
      return await readAnswer(url, response);
    } catch (error) {
      if (signal.aborted) return refuse('timed_out');
      return refuse(error instanceof AddressNotAllowed ? 'address_not_allowed' : 'unreachable');
    }
  }

  /** Resolves once per connection and hands over only what was checked: there is no second look-up that could answer otherwise. */
  readonly #lookup: LookupFunction = (hostname, options, done) => {
    const answer = async (): Promise<{ address: string; family: number }[]> => {
      const addresses = await this.#rules.resolve(hostname);
      if (!addresses.every(({ address }) => this.#rules.mayConnect(address))) throw new AddressNotAllowed();
      return addresses;
    };
    answer().then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined) done(new Error('the host has no address'), '');
        else if (options.all) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: Error) => done(error, ''),
    );
  };
}

const isHttp = (protocol: string): protocol is 'http:' | 'https:' => protocol === 'http:' || protocol === 'https:';

function exchange(url: URL, options: RequestOptions, body: string | Buffer | undefined, isRetry = false): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve);
    request.on('error', (error) => {
      // Only GETs share connections; one that was closed while the request was on its way has not been answered.
      const isStale = request.reusedSocket && 'code' in error && error.code === 'ECONNRESET';
      if (isStale && !isRetry) exchange(url, options, body, true).then(resolve, reject);
      else reject(error);
    });
    request.end(body);
  });
}

/** Connections that have been made: what is written to one of them may arrive. */
const made = new WeakSet<object>();

/** One request on a shared connection, without a second try. Sets `way.sent` once a connection is there to carry it. */
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

async function readBody(response: IncomingMessage): Promise<Result<Buffer, OutboundProblem>> {
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

async function readAnswer(url: URL, response: IncomingMessage): Promise<Result<JsonAnswer, OutboundProblem>> {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) return dropped(response, 'redirected');
  const content = await readBody(response);
  if (!content.ok) return content;
  const body = parse(response, content.value);
  return body === undefined && status < 300 && content.value.length > 0 ? refuse('not_json') : ok({ status, body, url: url.href });
}

function dropped(response: IncomingMessage, problem: OutboundProblem): Result<never, OutboundProblem> {
  response.destroy();
  return refuse(problem);
}

/** @returns undefined for anything but JSON in UTF-8. */
function parse(response: IncomingMessage, content: Buffer): unknown {
  if (content.length === 0 || !JSON_TYPE.test(response.headers['content-type'] ?? '')) return undefined;
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(content));
  } catch {
    return undefined;
  }
}
