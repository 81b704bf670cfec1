import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A small TCP proxy in front of replicas. All its connections go to one of them, which the test chooses. */
export class Balancer {
  readonly origin: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #port = 0;

  private constructor(server: Server) {
    this.#server = server;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (from) => this.#relay(from));
  }

  static async start(): Promise<Balancer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Balancer(server);
  }

  /** From now on the replica that listens on this port gets everything. Connections to another one end. */
  choose(port: number): void {
    this.#port = port;
    for (const socket of this.#open) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(from: Socket): void {
    const to = connect(this.#port, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  }
}
