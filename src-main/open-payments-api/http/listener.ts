import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { Socket, Server as TcpServer } from 'node:net';
import { BlockList, isIP } from 'node:net';
import { newId } from '../../platform/ids.ts';
import { FILES_NEEDED } from '../../platform/open-files.ts';
import type { TlsContext } from '../../platform/public-address/tls-certificate.ts';
import { AcceptFirst } from './accept-first.ts';
import { inTurn } from './in-turn.ts';
import { ApiProblem, type Condition } from './problems.ts';

/** How long the public listener waits for clients that send slowly, in milliseconds. */
export interface ListenerTimeouts {
  /** The limit for all headers of a request, and for a connection that sends nothing at all. */
  headers: number;
  /** The limit for a whole request. */
  request: number;
  /** The time between two looks for connections that took too long. */
  check: number;
}

export const DEFAULT_TIMEOUTS: ListenerTimeouts = { headers: 10_000, request: 30_000, check: 2_000 };

/**
 * How many connections the public listener keeps open at a time (decisions.md#D-04). Each takes a file descriptor, and
 * a process has few of them.
 */
export interface ConnectionCaps {
  total: number;
  /** The most from one address, so that one stranger cannot take all of them. */
  perAddress: number;
}

/**
 * The caps of a process that may have this many files open. Half of them stay for its own files and for the requests
 * that it sends.
 */
export function capsWithin(openFiles: number): ConnectionCaps {
  const total = Math.floor(Math.min(openFiles, FILES_NEEDED) / 2);
  return { total, perAddress: Math.floor(total / 2) };
}

const TELL_AGAIN_MS = 60_000;

/**
 * Closes every connection that does not come from this computer or a declared proxy, at once and without an answer
 * (decisions.md#D-03). Without a certificate of its own a node sends plain text, which nobody on the network may read.
 * @param proxies addresses such as 10.0.0.1 and 10.0.0.0/8
 * @param onRefused is called at most once a minute while connections are refused.
 */
export function hearOnly(server: TcpServer, proxies: readonly string[], onRefused: () => void): void {
  const heard = new BlockList();
  for (const proxy of ['127.0.0.0/8', '::1', ...proxies]) {
    const [address = '', prefix] = proxy.split('/');
    const family = familyOf(address);
    if (prefix === undefined) heard.addAddress(address, family);
    else heard.addSubnet(address, Number(prefix), family);
  }
  const refused = atMostOnceAMinute(onRefused);
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    if (isIP(address) !== 0 && heard.check(address, familyOf(address))) return;
    socket.destroy();
    refused();
  });
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');

function atMostOnceAMinute(tell: () => void): () => void {
  let told = false;
  return () => {
    if (told) return;
    told = true;
    setTimeout(() => {
      told = false;
    }, TELL_AGAIN_MS).unref();
    tell();
  };
}

/**
 * Closes connections beyond the caps, at once and without an answer: an answer would cost what the caps protect.
 * @param byAddress false behind a declared proxy, because many clients come from its address.
 * @param onRefused is called at most once a minute while connections are refused.
 */
export function capConnections(server: TcpServer, caps: ConnectionCaps, byAddress: boolean, onRefused: () => void): void {
  const refused = atMostOnceAMinute(onRefused);
  server.maxConnections = caps.total;
  server.on('drop', refused);
  if (!byAddress) return;
  const open = new Map<string, number>();
  // It runs before all other listeners, so that they set up nothing for a connection that is closed right away.
  server.prependListener('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? '';
    const count = open.get(address) ?? 0;
    if (count >= caps.perAddress) {
      socket.destroy();
      refused();
      return;
    }
    open.set(address, count + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left > 0) open.set(address, left);
      else open.delete(address);
    });
  });
}

const HEADER_LIMIT = 16 * 1024;
const LINGER_MS = 1_000;

/** The options of an HTTP server that strangers can reach. */
const listenerOptions = ({ headers, check }: ListenerTimeouts) => ({
  maxHeaderSize: HEADER_LIMIT,
  headersTimeout: headers,
  connectionsCheckingInterval: check,
  // Node would refuse without a request id. The server refuses with one.
  requireHostHeader: false,
});

/**
 * Makes the listener: https for a node that has a certificate of its own, else http. It waits for slow clients as
 * `timeouts` says, and handles the requests of a connection in turn.
 */
export const serversOf =
  (timeouts: ListenerTimeouts, tls: TlsContext | undefined) =>
  (handler: RequestListener): Server | HttpsServer => {
    const options = { ...listenerOptions(timeouts), requestTimeout: timeouts.request };
    const first = new AcceptFirst(inTurn(handler));
    if (tls === undefined) return createServer(options, first.handle).on('connection', first.connected);
    const { cert, key } = tls;
    return createHttpsServer({ ...options, handshakeTimeout: timeouts.headers, minVersion: 'TLSv1.2', cert, key }, first.handle).on(
      'connection',
      first.connected,
    );
  };

const CONDITIONS: Record<string, Condition> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'timed_out',
};

/** Answers what is not HTTP, or is too large or too slow to be read. Node makes no request object for it. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const problem = new ApiProblem(CONDITIONS[error.code ?? ''] ?? 'malformed_http');
  const body = JSON.stringify(problem.body);
  const head = [
    `HTTP/1.1 ${problem.status} Refused`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${newId()}`,
    'access-control-allow-origin: *',
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // The rest that comes is thrown away, because the client would lose the answer otherwise. The connection closes soon.
  socket.resume();
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
}
