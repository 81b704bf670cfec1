import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createLogger } from '../../platform/logs/logger.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { createPublicServer, type PublicServer } from './server.ts';

const MB = 1024 * 1024;
const ANSWER = 'x'.repeat(8 * MB);
/** How many bytes of unread answers the kernel may hold. */
const IN_KERNEL = 16 * MB;

let app: PublicServer;
let sockets: Socket[];
let made: string[];
let release: () => void;
beforeEach(() => {
  sockets = [];
  made = [];
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
});

async function listen(more: Partial<Parameters<typeof createPublicServer>[0]> = {}): Promise<number> {
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  app = createPublicServer({ urls: new PublicUrls('https://pay.example'), log: createLogger('silent'), ...more });
  app.get('/waits/:n', async ({ url }) => {
    made.push(url);
    await gate;
    return { url };
  });
  app.get('/large/:n', async ({ url }, reply) => {
    made.push(url);
    return await reply.type('text/plain').send(ANSWER);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return (app.server.address() as { port: number }).port;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;

async function say(port: number, bytes: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await new Promise((resolve) => socket.write(bytes, resolve));
  return socket;
}

/**
 * Sends one more request on a connection of its own. When the server has answered it, the server has read what was sent
 * before.
 */
const heard = async (port: number): Promise<void> => void (await fetch(`http://127.0.0.1:${port}/nothing`));

const closed = async (socket: Socket): Promise<void> => void (await new Promise((resolve) => socket.once('close', resolve)));

it('the server has one request of a connection under way, and answers those that wait in their order', async () => {
  const port = await listen();
  const paths = Array.from({ length: 10 }, (_, n) => `/waits/${n}`);
  const socket = await say(port, paths.map(get).join(''));
  await heard(port);
  expect(made).toEqual(['/waits/0']);
  release();
  let text = '';
  for await (const part of socket) {
    text += String(part);
    if (text.includes('"/waits/9"')) break;
  }
  expect([...text.matchAll(/"url":"([^"]*)"/g)].map(([, path]) => path)).toEqual(paths);
});

it('the server closes a connection that sends very many requests ahead', async () => {
  const port = await listen();
  const socket = await say(port, Array.from({ length: 500 }, (_, n) => get(`/waits/${n}`)).join(''));
  socket.resume();
  await closed(socket);
  expect(made).toEqual(['/waits/0']);
});

it('the server makes no second answer before somebody reads the first', async () => {
  const port = await listen();
  await say(port, Array.from({ length: 16 }, (_, n) => get(`/large/${n}`)).join(''));
  await heard(port);
  expect(made.length * ANSWER.length).toBeLessThan(IN_KERNEL + ANSWER.length);
});

it('the server holds so many bytes for clients that do not read, and closes the oldest connection of the largest network', async () => {
  const port = await listen({ unread: { bytes: 20 * MB, patience: 60_000 } });
  const first = await say(port, get('/large/0'));
  const gone = closed(first);
  for (let n = 1; n < 8; n++) await say(port, get(`/large/${n}`));
  await heard(port);
  first.resume();
  await gone;
});

it('the server waits so long for a client that does not read', async () => {
  const port = await listen({ unread: { bytes: 100 * MB, patience: 50 } });
  const socket = await say(port, get('/large/0'));
  await heard(port);
  const gone = closed(socket);
  // The client learns that the server has closed the connection when the client reads again.
  setTimeout(() => socket.resume(), 500);
  await gone;
});
