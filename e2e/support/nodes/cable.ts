import { createServer, type IncomingHttpHeaders, type Server, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A line between a browser and the console of a node, which can be pulled out and put back while answers stream. */
export class Cable {
  /** The origin that the browser asks in place of the target. */
  readonly origin: string;
  readonly #server: Server;
  #isCut = false;

  private constructor(server: Server, target: URL) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (socket) => {
      if (this.#isCut) socket.destroy();
    });
    server.on('request', (request, response) => {
      const headers = this.#asAskedThere(request.headers, target);
      const forwarded = send(new URL(request.url ?? '/', target), { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.on('error', () => response.destroy()).pipe(response);
      });
      forwarded.on('error', () => response.destroy());
      response.on('close', () => forwarded.destroy());
      request.on('error', () => forwarded.destroy()).pipe(forwarded);
    });
  }

  /** @param target the origin of the console, such as `http://127.0.0.1:3001`. */
  static async start(target: string): Promise<Cable> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Cable(server, new URL(target));
  }

  /** Ends every connection, and refuses new ones. */
  cut(): void {
    this.#isCut = true;
    this.#server.closeAllConnections();
  }

  mend(): void {
    this.#isCut = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** The console answers only those who ask it by its own name. */
  #asAskedThere({ origin, ...headers }: IncomingHttpHeaders, { host, origin: there }: URL): IncomingHttpHeaders {
    return { ...headers, host, ...(origin === this.origin && { origin: there }) };
  }
}
