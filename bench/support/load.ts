import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

// A load generator that costs as little as possible, because it shares the cores with what it measures: requests are
// bytes made beforehand, and of an answer only its status line and its length are read.

/** A request as the bytes that go over the wire. */
export type RequestBytes = Buffer;

export interface Answer {
  status: number;
  body: Buffer;
}

/** @param headers without `host`; the body's length is among them. */
export function requestBytes(method: string, url: string, headers: Readonly<Record<string, string>>, body = ''): RequestBytes {
  const { host, pathname, search } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${pathname}${search} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** A connection that is kept open and carries one request at a time. */
export class HttpConnection {
  readonly #socket: Socket;
  #received: Buffer | undefined;
  #waiting: PromiseWithResolvers<Answer> | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#take(chunk));
    socket.on('error', (error) => this.#waiting?.reject(error));
    socket.on('close', () => this.#waiting?.reject(new Error('the connection was closed')));
  }

  static async open(origin: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(origin);
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new HttpConnection(socket);
  }

  send(request: RequestBytes): Promise<Answer> {
    const waiting = Promise.withResolvers<Answer>();
    if (this.#socket.destroyed) throw new Error('the connection was closed');
    this.#waiting = waiting;
    this.#socket.write(request);
    return waiting.promise;
  }

  close(): void {
    this.#socket.destroy();
  }

  #take(chunk: Buffer): void {
    const received = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk]);
    this.#received = received;
    const end = received.indexOf(HEAD_END);
    if (end < 0) return;
    const head = received.toString('latin1', 0, end);
    const start = end + HEAD_END.length;
    const length = Number(/\ncontent-length: (\d+)/i.exec(head)?.[1]);
    if (received.length < start + length) return;
    const waiting = this.#waiting;
    this.#received = undefined;
    this.#waiting = undefined;
    waiting?.resolve({ status: Number(head.slice(9, 12)), body: received.subarray(start) });
  }
}

/** The figures of a stretch of load. */
export interface Measured {
  done: number;
  perSecond: number;
  /** Milliseconds, sorted. */
  latencies: Float64Array;
}

/**
 * Does `act` again and again in `width` lanes until there is no more to do or the time is up; each lane has its own
 * connection.
 */
export async function inLanes<T>(
  origin: string,
  work: readonly T[],
  { width, seconds }: { width: number; seconds: number },
  act: (connection: HttpConnection, item: T) => Promise<void>,
): Promise<Measured> {
  const connections = await Promise.all(Array.from({ length: width }, () => HttpConnection.open(origin)));
  const latencies = new Float64Array(work.length);
  const start = performance.now();
  let next = 0;
  let done = 0;
  const lane = async (connection: HttpConnection): Promise<void> => {
    for (let item = work[next++]; item !== undefined; item = work[next++]) {
      const began = performance.now();
      if (began - start > seconds * 1_000) return;
      await act(connection, item);
      latencies[done++] = performance.now() - began;
    }
  };
  await Promise.all(connections.map(lane));
  const elapsed = performance.now() - start;
  for (const connection of connections) connection.close();
  return { done, perSecond: (done / elapsed) * 1_000, latencies: latencies.subarray(0, done).sort() };
}

/** Sends each request once. @throws Error for any answer of another status. */
export async function drive(
  origin: string,
  requests: readonly RequestBytes[],
  limits: { width: number; seconds: number },
  expected: number,
  onBody: (body: Buffer) => void = () => undefined,
): Promise<Measured> {
  return await inLanes(origin, requests, limits, async (connection, request) => {
    const { status, body } = await connection.send(request);
    if (status !== expected) throw new Error(`an answer had the status ${status}: ${body.toString()}`);
    onBody(body);
  });
}

/**
 * Sends requests at a constant rate, each on a connection that is free, and does not wait for answers to send the next
 * one. So a node that stands still shows in each request that comes meanwhile.
 * @param until is asked before each request. The sending ends when it says true, or when there is no more to send.
 * @returns also how many requests the node has refused with 503.
 * @throws Error for any other answer that is not 201.
 */
export async function atRate(
  origin: string,
  requests: Iterable<RequestBytes>,
  { perSecond, until }: { perSecond: number; until: () => boolean },
): Promise<Measured & { refused: number }> {
  const free: HttpConnection[] = [];
  const latencies: number[] = [];
  let refused = 0;
  const sent: Promise<void>[] = [];
  const send = async (request: RequestBytes): Promise<void> => {
    const began = performance.now();
    // The one that has rested longest: the node closes a connection that rests for long.
    const connection = free.shift() ?? (await HttpConnection.open(origin));
    const { status, body } = await connection.send(request);
    if (status === 503) refused += 1;
    else if (status === 201) latencies.push(performance.now() - began);
    else throw new Error(`an answer had the status ${status}: ${body.toString()}`);
    free.push(connection);
  };
  const start = performance.now();
  for (const request of requests) {
    if (until()) break;
    const wait = start + (sent.length * 1_000) / perSecond - performance.now();
    if (wait > 0) await pause(wait);
    sent.push(send(request));
  }
  await Promise.all(sent);
  for (const connection of free) connection.close();
  const done = latencies.length;
  const seconds = (performance.now() - start) / 1_000;
  return { done, refused, perSecond: done / seconds, latencies: Float64Array.from(latencies).sort() };
}
