import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Socket, Server as TcpServer } from 'node:net';
import { BlockList, isIP } from 'node:net';
import { newId } from '../../platform/ids.ts';
import type { TlsContext } from '../../platform/public-address/tls-certificate.ts';
import { ApiProblem, type Condition } from './problems.ts';

/** How long the public listener waits for those who send slowly, in milliseconds. */
export interface ListenerTimeouts {
  /** For all headers of a request; also for a connection that sends nothing at all. */
  headers: number;
  /** For a whole request. */
  request: number;
  /** How often it looks for connections that took too long. */
  check: number;
}

export const DEFAULT_TIMEOUTS: ListenerTimeouts = { headers: 10_000, request: 30_000, check: 2_000 };

/** How many connections the public listener keeps open at a time. Each is a file descriptor, of which a process has only so many. */
export interface ConnectionCaps {
  total: number;
  /** From one address, so that a stranger alone cannot take all of them. */
  perAddress: number;
}

export const DEFAULT_CAPS: ConnectionCaps = { total: 2_000, perAddress: 1_000 };

const TELL_AGAIN_MS = 60_000;

/**
 * Closes connections of everybody but this computer and the declared proxies, at once and unanswered: without a certificate of its own a node speaks in
 * clear, which nobody on the network may hear.
 * @param proxies addresses such as 10.0.0.1 and 10.0.0.0/8
 * @param onRefused told that connections are refused, at most once a minute.
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
 * Closes connections beyond the caps at once and unanswered: an answer would cost what the caps protect.
 * @param byAddress false behind a declared proxy, whose address stands for many.
 * @param onRefused told that connections are refused, at most once a minute.
 */
export function capConnections(server: TcpServer, caps: ConnectionCaps, byAddress: boolean, onRefused: () => void): void {
  const refused = atMostOnceAMinute(onRefused);
  server.maxConnections = caps.total;
  server.on('drop', refused);
  if (!byAddress) return;
  const open = new Map<string, number>();
  // First of all listeners, so that nothing is set up for a connection that is closed right away.
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

/** Node's options for an HTTP server that strangers reach. */
export const listenerOptions = ({ headers, check }: ListenerTimeouts) => ({
  maxHeaderSize: HEADER_LIMIT,
  headersTimeout: headers,
  connectionsCheckingInterval: check,
  // Node itself would refuse without a request id; the server does it with one.
  requireHostHeader: false,
});

/** Makes the listener of a node that has a certificate of its own: https, with the same patience as without. */
export const tlsServers =
  (timeouts: ListenerTimeouts, { cert, key }: TlsContext) =>
  (handler: RequestListener): Server =>
    createServer(
      {
        ...listenerOptions(timeouts),
        requestTimeout: timeouts.request,
        handshakeTimeout: timeouts.headers,
        minVersion: 'TLSv1.2',
        cert,
        key,
      },
      handler,
    );

const CONDITIONS: Record<string, Condition> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'timed_out',
};

/** Answers what is not HTTP at all, or too large or too slow to be read; there is no request object then. */
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
  // What still comes is thrown away, or the answer would be lost with it; but nobody keeps the connection half open for long.
  socket.resume();
  const lingering = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(lingering));
}
