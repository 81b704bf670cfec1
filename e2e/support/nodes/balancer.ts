import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A small TCP proxy in front of replicas. Its connections go to those that the test has chosen, in turn. */
export class Balancer {
  readonly origin: string;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #ports: readonly number[] = [];
  #next = 0;

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

  /** Sends everything to the replicas that listen on these ports from now on. Connections that are open end. */
  choose(...ports: number[]): void {
    this.#ports = ports;
    for (const socket of this.#open) socket.destroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(from: Socket): void {
    this.#next = (this.#next + 1) % Math.max(1, this.#ports.length);
    const to = connect(this.#ports[this.#next] ?? 0, '127.0.0.1');
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
