import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLogger } from '../../platform/logs/logger.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { createPublicServer, type PublicServer } from './server.ts';
import { UNREAD_LIMITS } from './unread-answers.ts';

const MB = 1024 * 1024;
/** The answer is larger than what the kernel holds for a client that does not read. */
const ANSWER = 'x'.repeat(24 * MB);
const SECONDS = UNREAD_LIMITS.patience / 1_000;

let app: PublicServer;
let port: number;
/** The node's ends of the connections, in the order in which they came. */
let ends: Socket[];
const clients: Socket[] = [];
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  ends = [];
  app = createPublicServer({ urls: new PublicUrls('https://pay.example'), log: createLogger('silent') });
  app.get('/large', async (_, reply) => await reply.type('text/plain').send(ANSWER));
  app.get('/small', () => ({}));
  await app.listen({ host: '127.0.0.1', port: 0 });
  app.server.on('connection', (socket: Socket) => ends.push(socket));
  port = (app.server.address() as { port: number }).port;
});
afterEach(async () => {
  for (const socket of clients.splice(0)) socket.destroy();
  vi.useRealTimers();
  await app.close();
});

function ask(path: string, socket = connect(port, '127.0.0.1')): Socket {
  clients.push(socket);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  return socket;
}

/** Reads one answer as fast as it comes. @returns how many bytes its body has. */
async function readAll(socket: Socket): Promise<number> {
  let [text, length] = ['', 0];
  for await (const part of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length;
    if (!text.includes('\r\n\r\n')) text += part.toString('latin1').slice(0, 4_096);
    const head = text.indexOf('\r\n\r\n') + 4;
    const wanted = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    if (length >= head + wanted) return length - head;
  }
  throw new Error(`cut off after ${length} bytes`);
}

/** Waits until the node has made its answer and hands it over. */
const begun = async (at: number): Promise<void> => {
  while ((ends[at]?.writableLength ?? 0) === 0) await new Promise(setImmediate);
};

it('a client that reads a byte a second is cut off after the patience of the node, and not before', async () => {
  const slow = ask('/large');
  await begun(0);
  for (let second = 1; second < SECONDS; second++) {
    slow.read(1);
    vi.advanceTimersByTime(1_000);
    expect(ends[0]?.destroyed).toBe(false);
  }
  slow.read(1);
  vi.advanceTimersByTime(1_000);
  expect(ends[0]?.destroyed).toBe(true);
});

it('a thousand times the patience later the connection of a client that has read all is still open', async () => {
  const honest = ask('/large');
  expect(await readAll(honest)).toBe(ANSWER.length);
  vi.advanceTimersByTime(UNREAD_LIMITS.patience * 1_000);
  expect(ends[0]?.destroyed).toBe(false);
});

it('honest clients are answered while slow readers hold their connections, and after these were cut off', async () => {
  for (let n = 0; n < 5; n++) {
    ask('/large');
    await begun(n);
  }
  const honest = ask('/small');
  expect(await readAll(honest)).toBe(2);
  vi.advanceTimersByTime(UNREAD_LIMITS.patience);
  expect(ends.map(({ destroyed }) => destroyed)).toEqual([true, true, true, true, true, false]);
  expect(await readAll(ask('/small', honest))).toBe(2);
});
