import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/**
 * What the printer does with a connection.
 * - `prints`: it takes everything, and ends the connection.
 * - `hangs`: it takes nothing more after the first bytes, and says nothing.
 * - `breaks_off`: it drops the connection after the first bytes.
 * - `babbles`: it prints, and sends bytes that mean nothing.
 */
type Manner = 'prints' | 'hangs' | 'breaks_off' | 'babbles';

/** A receipt printer for tests: a server that records what it prints. */
export class TestPrinter {
  manner: Manner = 'prints';
  /** The bytes of each connection, in the order in which they came. */
  readonly papers: Buffer[] = [];
  readonly #sockets = new Set<Socket>();
  #server = this.#serve();
  #port = 0;

  static async start(): Promise<TestPrinter> {
    const printer = new TestPrinter();
    await printer.switchOn();
    return printer;
  }

  get port(): number {
    return this.#port;
  }

  /** The texts of what was printed, without what is no letter. */
  get texts(): string[] {
    return this.papers.map((paper) => new TextDecoder('windows-1252').decode(paper));
  }

  async switchOn(): Promise<void> {
    this.#server = this.#serve();
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Refuses connections from now on. The port stays the same. */
  async switchOff(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #serve() {
    return createServer({ allowHalfOpen: true }, (socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
      const place = this.papers.push(Buffer.alloc(0)) - 1;
      if (this.manner === 'babbles') socket.write(Buffer.from([0x00, 0xff, 0x1b, 0x40, 0x0a]));
      socket.on('data', (bytes) => {
        this.papers[place] = Buffer.concat([this.papers[place] ?? Buffer.alloc(0), bytes]);
        if (this.manner === 'breaks_off') socket.resetAndDestroy();
        if (this.manner === 'hangs') socket.pause();
      });
      socket.on('end', () => {
        if (this.manner !== 'hangs') socket.end();
      });
    });
  }
}
