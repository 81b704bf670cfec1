import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { createLogger } from '../platform/logs/logger.ts';
import { PublicUrls } from '../platform/public-address/public-urls.ts';
import { choosePort } from './listening.ts';
import { warnOfPort } from './public-api.ts';

const HOST = '127.0.0.1';
const opened: Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

/** A program that listens there. @throws the system's error when it cannot. */
async function program(options: { host: string; port: number }): Promise<Server> {
  const server = createServer((_, response) => response.end('at your service'));
  opened.push(server);
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options, resolve));
  return server;
}
const ask = async (port: number): Promise<string> => await (await fetch(`http://${HOST}:${port}`)).text();

it('nobody can take the port that the system chose before the node listens there', async () => {
  const { listen, port } = await choosePort({ host: HOST, port: 0 });
  await expect(program(listen)).rejects.toThrow('EADDRINUSE');
  await expect(ask(listen.port)).rejects.toThrow();
  await program(port.for(listen));
  expect(await ask(listen.port)).toBe('at your service');
});

it('the port is free again once the node has stopped, and when it could not start', async () => {
  const { listen, port } = await choosePort({ host: HOST, port: 0 });
  const server = await program(port.for(listen));
  await new Promise((resolve) => server.close(resolve));
  await port.release();
  const next = await program(listen);
  await new Promise((resolve) => next.close(resolve));
  const other = await choosePort({ host: HOST, port: 0 });
  await other.port.release();
  await program(other.listen);
});

it('nobody is heard at the port that the operator chose before the node listens there', async () => {
  const { listen: free, port: held } = await choosePort({ host: HOST, port: 0 });
  await held.release();
  const { listen, port } = await choosePort(free);
  const refused = await new Promise<Error>((resolve) => connect(listen).once('error', resolve));
  expect(refused).toMatchObject({ code: 'ECONNREFUSED' });
  await program(port.for(listen));
  expect(await ask(listen.port)).toBe('at your service');
});

it.each([
  ['is warned of a port in the public URL', 'https://pay.example:8443', false, [{ level: 'warn', origin: 'https://pay.example:8443' }]],
  ['is not warned of a public URL without one', 'https://pay.example', false, []],
  ['is not warned of a port on this computer, where nobody else asks', 'http://127.0.0.1:3000', false, []],
  ['is not warned of a port while developing', 'https://pay.example:8443', true, []],
])('an operator %s', (_, origin, development, expected) => {
  const lines: unknown[] = [];
  const log = createLogger('info', { write: (line) => lines.push(JSON.parse(line)) });
  warnOfPort({ urls: new PublicUrls(origin), config: { development }, log });
  expect(lines).toMatchObject(expected);
  expect(lines).toHaveLength(expected.length);
});
