import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:http';
import { createServer as createHttpsServer, type Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { newId } from '../../platform/ids.ts';
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
