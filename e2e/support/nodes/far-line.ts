import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP line to a program that is far away: each byte arrives later by half of the way there and back. */
export class FarLine {
  readonly origin: string;
  /** The port on which the program at the other end has to listen. */
  readonly port: number;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  readonly #halfMs: number;

  private constructor(server: Server, port: number, roundTripMs: number) {
    this.#server = server;
    this.port = port;
    this.#halfMs = roundTripMs / 2;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (from) => this.#relay(from));
  }

  /** @param roundTripMs how long the way there and back takes, in milliseconds. */
  static async start(roundTripMs: number): Promise<FarLine> {
    const [server, other] = [createServer({ noDelay: true }), createServer()];
    for (const one of [server, other]) await new Promise<void>((resolve) => one.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await new Promise((resolve) => other.close(resolve));
    return new FarLine(server, port, roundTripMs);
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #relay(from: Socket): void {
    const to = connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      this.#open.add(one);
      // All bytes wait equally long, so they keep their order.
      one.on('data', (bytes: Buffer) => setTimeout(() => other.write(bytes), this.#halfMs));
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#open.delete(one);
        setTimeout(() => other.destroy(), this.#halfMs);
      });
    }
  }
}
