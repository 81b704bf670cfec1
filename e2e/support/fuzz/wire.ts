import { type Agent, request } from 'node:http';
import { connect } from 'node:net';
import type { Dice } from '../seeded.ts';
import type { FuzzCase } from './cases.ts';

/** What came back. The status is 0 when the connection was closed without an answer. */
export interface WireAnswer {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
  /** Why there is no answer that can be read. */
  broken?: string;
}

const PATIENCE_MS = 20_000;
const NONE: WireAnswer = { status: 0, headers: {}, text: '' };

type WireRequest = Pick<FuzzCase, 'method' | 'target' | 'headers' | 'body'>;

/** Sends a request as it is. Nothing corrects its path on the way. */
export function exchange({ hostname, port }: URL, agent: Agent, { method, target, headers, body }: WireRequest): Promise<WireAnswer> {
  return new Promise((resolve) => {
    const fail = (error: Error) => resolve({ ...NONE, broken: error.message });
    const sent = request({ hostname, port, path: target, method, headers, agent, timeout: PATIENCE_MS }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(parts).toString() }),
      );
      response.on('error', fail);
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
    // The node may answer and close before the whole request was sent. Then there is nothing to read.
    sent.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(NONE) : fail(error),
    );
    sent.end(body);
  });
}

/** Requests that no HTTP library would send. */
export function brokenRequest(dice: Dice): string | Buffer {
  const head = (...lines: string[]) =>
    `${[dice.pick(['GET /healthz HTTP/1.1', 'POST /auth HTTP/1.1']), 'host: x', ...lines].join('\r\n')}\r\n\r\n`;
  return dice.pick<() => string | Buffer>([
    () => Buffer.from(Array.from({ length: 1 + dice.below(500) }, () => dice.below(256))),
    () => 'GET / HTTP/9.9\r\n\r\n',
    () => 'GET  /\r\n\r\n',
    () => `${'A'.repeat(dice.below(20_000))} / HTTP/1.1\r\n\r\n`,
    () => `GET /${'p'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
    () => head('no colon here'),
    () => head('name with space: x'),
    () => head('x: a\u0000b'),
    () => head('x: a', ' folded'),
    () => head('content-length: -1'),
    () => head('content-length: 5', 'content-length: 6'),
    () => head('content-length: 99999999999999999999'),
    () => head('transfer-encoding: chunked', 'content-length: 3'),
    () => `${head('transfer-encoding: chunked')}zz\r\n\r\n`,
    () => `${head('transfer-encoding: chunked')}FFFFFFFFFFFFFFFF\r\n`,
    () => head('transfer-encoding: gzip, chunked, identity'),
    () => head(...Array.from({ length: 3_000 }, (_, at) => `h${at}: x`)),
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => 'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n',
    () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
    () => `${'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20)}`,
  ])();
}

/** Writes bytes, closes its side, and reads what comes until the node closes, too. */
export function blurt({ hostname, port }: URL, bytes: string | Buffer): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the node kept a broken connection')));
    socket.on('data', (part) => parts.push(part));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? undefined : reject(error),
    );
    socket.on('close', () => {
      const text = Buffer.concat(parts).toString();
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), headers: {}, text: '' });
    });
  });
}
