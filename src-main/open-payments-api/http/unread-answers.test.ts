import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createLogger } from '../../platform/logs/logger.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { createPublicServer, type PublicServer } from './server.ts';

const MB = 1024 * 1024;
/** No kernel takes so much of an answer that nobody reads. */
const ANSWER = 'x'.repeat(24 * MB);
/** Two answers may wait, and not three. */
const LIMITS = { bytes: 60 * MB, patience: 600_000 };

let app: PublicServer;
const clients: Socket[] = [];
/** The node's ends of the connections, in the order in which they came. */
const ends: Socket[] = [];
afterEach(async () => {
  for (const socket of clients.splice(0)) socket.destroy();
  ends.length = 0;
  await app.close();
});

/** Whom a request is from: an app that the operator allowed, or a stranger that signs with a key of a host. */
interface Caller {
  stranger?: { key: string; origin?: string };
  address?: string;
}

/**
 * Lets callers ask for large answers, one after the other, and read none.
 * @returns the numbers of those whose connection the node has closed then.
 */
async function cutOff(...callers: Caller[]): Promise<number[]> {
  const urls = new PublicUrls('https://pay.example');
  app = createPublicServer({ urls, log: createLogger('silent'), unread: LIMITS, trustedProxies: ['127.0.0.1'] });
  app.get('/:caller', async (request, reply) => {
    const { stranger } = callers[Number((request.params as { caller: string }).caller)] ?? {};
    request.paidBy = stranger && { network: request.ip, ...stranger };
    return await reply.type('text/plain').send(ANSWER);
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  app.server.on('connection', (socket: Socket) => ends.push(socket));
  const { port } = app.server.address() as { port: number };
  for (const [n, { address = '192.0.2.1' }] of callers.entries()) {
    const socket = connect(port, '127.0.0.1');
    clients.push(socket);
    socket.on('error', () => undefined);
    socket.write(`GET /${n} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${address}\r\n\r\n`);
    while (ends[n] === undefined || (ends[n].writableLength === 0 && !ends[n].destroyed)) await new Promise(setImmediate);
  }
  return ends.flatMap(({ destroyed }, n) => (destroyed ? [n] : []));
}

it('an app that the operator allowed keeps its answers while a stranger behind its address has some, too', async () => {
  expect(await cutOff({}, {}, { stranger: { key: 'a' } })).toEqual([2]);
});

it('an app that the operator allowed loses its oldest answer when nobody else has any', async () => {
  expect(await cutOff({}, {}, {})).toEqual([0]);
});

it.each<[string, Caller, Caller]>([
  ['address behind a declared proxy', { stranger: { key: 'a' } }, { stranger: { key: 'a' }, address: '192.0.2.2' }],
  ['host behind one address', { stranger: { key: 'a', origin: 'a.example' } }, { stranger: { key: 'b', origin: 'b.example' } }],
  ['key of one host', { stranger: { key: 'a', origin: 'a.example' } }, { stranger: { key: 'b', origin: 'a.example' } }],
])('of strangers, the %s that has the most loses its oldest answer', async (_, little, much) => {
  expect(await cutOff(little, much, much)).toEqual([1]);
});
