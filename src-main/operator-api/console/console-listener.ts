import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import { atMostOnceAMinute, capConnections, plainTextFrom } from '../../platform/limits/connections.ts';
import type { TlsCertificate } from '../../platform/public-address/tls-certificate.ts';

/** The first byte of a TLS connection: a record of the handshake (RFC 8446, section 5.1). */
const HANDSHAKE = 22;
/** How long a connection may take for its first byte and its handshake, in milliseconds. */
const FIRST_MS = 10_000;
/** The most connections at a time. A browser has six, and a whole shop may sit behind one address. */
const CAPS = { total: 512, perAddress: 128 };

interface Options {
  certificate: Pick<TlsCertificate, 'context' | 'onChange'>;
  /** Addresses of declared proxies, such as 10.0.0.1 and 10.0.0.0/8. */
  proxies: readonly string[];
  requestTimeout: number;
  /** It is called at most once a minute while plain text comes from elsewhere. */
  onPlainText: () => void;
  /** It is called at most once a minute while connections are refused. */
  onRefused: () => void;
}

/**
 * The listener of a console that has the node's own certificate (decisions.md#D-187). It speaks TLS, and plain HTTP on
 * the same port to this computer and declared proxies: console links and scripts go on as before.
 */
export class ConsoleListener {
  readonly #options: Options;
  readonly #sockets = new Set<Socket>();
  #endLooking: () => void = () => undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Makes the server, which Fastify then starts. */
  readonly serve = (handler: RequestListener): Server => {
    const { certificate, proxies, requestTimeout, onPlainText, onRefused } = this.#options;
    const limits = { requestTimeout, headersTimeout: FIRST_MS };
    const secure = createHttpsServer({ ...limits, handshakeTimeout: FIRST_MS, minVersion: 'TLSv1.2', ...certificate.context }, handler);
    const plain = createServer(limits, handler);
    const isHeard = plainTextFrom(proxies);
    const unheard = atMostOnceAMinute(onPlainText);
    const speakTls = secure.listeners('connection');
    secure.removeAllListeners('connection');
    secure.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      whenFirst(socket, (byte) => {
        if (byte === HANDSHAKE) {
          for (const speak of speakTls) speak.call(secure, socket);
        } else if (isHeard(socket)) {
          plain.emit('connection', socket);
        } else {
          socket.destroy();
          unheard();
        }
      });
    });
    capConnections(secure, CAPS, proxies.length === 0, onRefused);
    this.#endLooking = certificate.onChange((context) => secure.setSecureContext(context));
    return secure;
  };

  /** Ends all connections. The server knows neither those in plain text nor those that have not said much yet. */
  close(): void {
    this.#endLooking();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Looks at the first byte of a connection, and leaves it there to be read. */
function whenFirst(socket: Socket, tell: (byte: number) => void): void {
  const tooLate = setTimeout(() => socket.destroy(), FIRST_MS);
  socket.once('close', () => clearTimeout(tooLate));
  const ignore = () => undefined;
  socket.on('error', ignore);
  const look = () => {
    const first = socket.read(1) as Buffer | null;
    const [byte] = first ?? [];
    if (first === null || byte === undefined) {
      socket.once('readable', look);
      return;
    }
    clearTimeout(tooLate);
    socket.off('error', ignore);
    socket.unshift(first);
    tell(byte);
  };
  look();
}
