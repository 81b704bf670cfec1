import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { quietPort } from './quiet-port.ts';

/** After this time the other end notices by itself that nobody answers on a connection; `session.ts` tells it so. */
const NOTICED_MS = 6_000;

/** A connection over the line. What is lost on it is lost for ever, because TCP lets no later byte pass a lost one. */
interface Way {
  isLost: boolean;
  /** Ends the connection at the far end. */
  endThere(): void;
}

/**
 * A TCP line to a program that is far away: each byte arrives later by about half of the way there and back, in whole
 * milliseconds, because no timer is shorter. Of an odd number the way back takes the longer part.
 */
export class FarLine {
  readonly origin: string;
  #port: number;
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #roundTripMs: number;
  readonly #ways = new Set<Way>();
  #isCut = false;
  #swallows = false;

  private constructor(server: Server, port: number, roundTripMs: number) {
    this.#server = server;
    this.#port = port;
    this.#roundTripMs = roundTripMs;
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (from) => this.#relay(from));
  }

  /**
   * @param roundTripMs how long the way there and back takes, in milliseconds.
   * @param listensAt the port of the program at the other end. Without one the line chooses a quiet port for it.
   */
  static async start(roundTripMs: number, listensAt?: number): Promise<FarLine> {
    const server = createServer({ noDelay: true });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FarLine(server, listensAt ?? (await quietPort()), roundTripMs);
  }

  /** The port on which the program at the other end has to listen. */
  get port(): number {
    return this.#port;
  }

  /** Leads new connections to another program from now on. */
  leadTo(port: number): void {
    this.#port = port;
  }

  /**
   * Lets the way there and back take this long from now on, in milliseconds. Bytes that are under way keep their time,
   * and none overtake them.
   */
  take(roundTripMs: number): void {
    this.#roundTripMs = roundTripMs;
  }

  /** All connections end, and nobody gets through until `mend`. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#open) socket.destroy();
  }

  /**
   * The line swallows all bytes, and nobody hears of it: no connection ends, and new ones open without an answer. What
   * was connected stays mute also after `mend`.
   */
  swallow(): void {
    this.#swallows = true;
    for (const way of this.#ways) this.#lose(way);
  }

  mend(): void {
    this.#isCut = false;
    this.#swallows = false;
  }

  async stop(): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #lose(way: Way): void {
    if (way.isLost) return;
    way.isLost = true;
    setTimeout(() => way.endThere(), NOTICED_MS).unref();
  }

  #relay(from: Socket): void {
    if (this.#isCut) {
      from.destroy();
      return;
    }
    const to = connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    const line: Way = { isLost: false, endThere: () => to.destroy() };
    this.#ways.add(line);
    if (this.#swallows) this.#lose(line);
    const there = () => Math.floor(this.#roundTripMs / 2);
    const back = () => this.#roundTripMs - there();
    for (const [one, other, way] of [
      [from, to, there],
      [to, from, back],
    ] as const) {
      this.#open.add(one);
      // What comes later arrives later, also when the way has become shorter meanwhile: TCP keeps the order of bytes.
      let arrived: Promise<unknown> = Promise.resolve();
      const afterTheWay = (arrive: () => void) => {
        const due = performance.now() + way();
        // What is due already waits for no timer, which would take a millisecond more.
        const wait = async () => {
          const left = due - performance.now();
          if (left > 0) await pause(left);
        };
        arrived = arrived.then(wait).then(() => {
          if (!line.isLost) arrive();
        });
      };
      one.on('data', (bytes: Buffer) => afterTheWay(() => other.write(bytes)));
      one.on('error', () => {
        if (!line.isLost) other.destroy();
      });
      one.on('close', () => {
        this.#open.delete(one);
        this.#ways.delete(line);
        afterTheWay(() => other.destroy());
      });
    }
  }
}
