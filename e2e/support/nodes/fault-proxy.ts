import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Dice } from '../seeded.ts';
import { readBody } from './http-bodies.ts';

/** How likely each fault is, from 0 to 1. All other requests go through untouched. */
export interface FaultRates {
  /** The request never reaches the other side, and the connection ends without an answer. */
  readonly drop: number;
  /** The request or its answer waits for at most `delayMs`. */
  readonly delay: number;
  /** The request reaches the other side twice, at once or one after the other. One of the answers goes back. */
  readonly duplicate: number;
  /** The request reaches the other side, and its answer never comes back, or only half of it. */
  readonly cut: number;
}

interface FaultProxyOptions {
  /** The target of the requests, such as `http://127.0.0.1:3000`. */
  readonly target: string;
  readonly seed: number;
  readonly rates?: FaultRates;
  /** The longest delay in milliseconds. The default is 300. */
  readonly delayMs?: number;
}

type Fault = keyof FaultRates;

export const NO_FAULTS: FaultRates = { drop: 0, delay: 0, duplicate: 0, cut: 0 };
/**
 * A bad line. Each fault hits eight requests in a hundred, so that of some hundred requests at least five meet each
 * fault.
 */
export const MANY_FAULTS: FaultRates = { drop: 0.08, delay: 0.08, duplicate: 0.08, cut: 0.08 };

interface Relayed {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** A bad line between two nodes. It loses, delays, doubles and cuts requests by chances that a seed repeats. */
export class FaultProxy {
  /** How often each fault has happened. */
  readonly counts: Record<Fault, number> = { drop: 0, delay: 0, duplicate: 0, cut: 0 };
  requests = 0;
  readonly origin: string;
  readonly #server: Server;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 64 });
  readonly #dice: Dice;
  readonly #options: Required<FaultProxyOptions>;

  private constructor(server: Server, options: FaultProxyOptions) {
    this.#server = server;
    this.#options = { rates: MANY_FAULTS, delayMs: 300, ...options };
    this.#dice = new Dice(options.seed);
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#answer(request, response));
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new FaultProxy(server, options);
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.requests += 1;
    const fault = this.#draw();
    // Everything that is random is drawn here, in the order of arrival.
    const [waitMs, coin] = [this.#dice.below(this.#options.delayMs), this.#dice.chance(0.5)];
    if (fault !== undefined) this.counts[fault] += 1;
    try {
      const body = await readBody(request);
      if (fault === 'drop') return void response.destroy();
      if (fault === 'delay' && coin) await pause(waitMs);
      const relayed = await this.#relay(request, body, fault === 'duplicate' ? (coin ? 'at once' : 'later') : 'once');
      if (fault === 'delay' && !coin) await pause(waitMs);
      if (fault === 'cut') return void cut(response, relayed, coin);
      respond(response, relayed);
    } catch {
      // The other side is down or went away, so the connection ends, too.
      response.destroy();
    }
  }

  async #relay(request: IncomingMessage, body: Buffer, times: 'once' | 'at once' | 'later'): Promise<Relayed> {
    const once = (): Promise<Relayed> => this.#forward(request, body);
    if (times === 'once') return await once();
    if (times === 'later') {
      await once();
      return await once();
    }
    const [first, second] = await Promise.all([once(), once()]);
    return this.requests % 2 === 0 ? first : second;
  }

  #forward({ method, url = '/', headers }: IncomingMessage, body: Buffer): Promise<Relayed> {
    const { host: _, connection: __, ...kept } = headers;
    return new Promise((resolve, reject) => {
      const forwarded = send(new URL(url, this.#options.target), { method, headers: kept, agent: this.#agent }, (answer) => {
        readBody(answer).then((content) => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: content }), reject);
      });
      forwarded.on('error', reject);
      forwarded.end(body);
    });
  }

  #draw(): Fault | undefined {
    let chance = this.#dice.below(1_000_000) / 1_000_000;
    for (const [fault, rate] of Object.entries(this.#options.rates) as [Fault, number][]) {
      if (chance < rate) return fault;
      chance -= rate;
    }
    return undefined;
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

function respond(response: ServerResponse, { status, headers, body }: Relayed): void {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = headers;
  response.writeHead(status, { ...kept, 'content-length': body.length }).end(body);
}

function cut(response: ServerResponse, { status, headers, body }: Relayed, halfway: boolean): void {
  if (!halfway || body.length < 2) return void response.destroy();
  response.writeHead(status, { 'content-type': headers['content-type'], 'content-length': body.length });
  response.write(body.subarray(0, body.length / 2), () => response.destroy());
}
