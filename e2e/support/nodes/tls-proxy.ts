import { request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** A proxy with a certificate of its own in front of the console, as a merchant declares one. */
export class TlsProxy {
  /** Such as `https://localhost:8443`. */
  readonly origin: string;
  readonly #server: Server;
  #target = '';

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `https://localhost:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming, answer) => {
      const headers = { ...incoming.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.7' };
      const outgoing = request(
        new URL(incoming.url ?? '/', this.#target),
        { method: incoming.method, headers, setHost: false },
        (response) => {
          answer.writeHead(response.statusCode ?? 502, response.headers);
          response.pipe(answer);
        },
      );
      outgoing.on('error', () => answer.destroy());
      answer.on('close', () => outgoing.destroy());
      incoming.pipe(outgoing);
    });
  }

  static async start(): Promise<TlsProxy> {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'localhost' }], { algorithm: 'sha256' });
    const server = createServer({ cert, key });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new TlsProxy(server);
  }

  /** Hands everything on to the console at this URL. */
  serve(target: string): void {
    this.#target = target;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
