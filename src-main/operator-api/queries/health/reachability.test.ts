import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReachStep } from '../../../../src-shared/operator-contract/reachability.ts';
import { reachText } from '../../../../src-shared/words/reachability.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { reach } from './reachability.ts';

let desk: Desk;
const servers: Server[] = [];
beforeEach(() => {
  desk = openDesk();
});
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
  await desk.close();
});

/** Starts a server in the node's place. */
async function listen(answer: (path: string) => { status: number; date?: Date; body?: object }): Promise<string> {
  const server = createServer((request, response) => {
    const { status, date, body } = answer(request.url ?? '');
    if (date !== undefined) response.setHeader('date', date.toUTCString());
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Told = Pick<ReachStep, 'name' | 'state'> & { words: string; next: string | null };

/** The step in the words that the operator reads. */
function toldBy({ name, state, finding }: ReachStep): Told {
  const { found: words, next } = finding === null ? { found: '', next: null } : reachText(finding);
  return { name, state, words, next };
}

async function tryOut(publicUrl: string): Promise<Record<string, Told>> {
  const context = {
    ...desk.context,
    about: { ...desk.context.about, publicUrl },
    configuration: { ...desk.context.configuration, publicUrlGiven: true },
  };
  const told: Told[] = [];
  for await (const step of reach(context)) told.push(toldBy(step));
  const ended = told.filter(({ state }) => state !== 'running');
  expect(ended.map(({ name }) => name)).toEqual(['public_url', 'dns', 'port', 'tls', 'clock', 'signature']);
  for (const { state, next } of ended) if (state !== 'skipped') expect(next === null).toBe(state === 'good');
  return Object.fromEntries(ended.map((step) => [step.name, step]));
}

const now = () => new Date(desk.clock.now());

describe('the reachability check', () => {
  it('reports a name without an address, and skips the later steps', async () => {
    const found = await tryOut('https://paydesk.invalid');
    expect(found.dns).toMatchObject({
      state: 'bad',
      words: 'The name paydesk.invalid has no address.',
      next: expect.stringContaining('A record'),
    });
    for (const name of ['port', 'tls', 'clock', 'signature']) expect(found[name]).toMatchObject({ state: 'skipped' });
  });

  it('reports a port on which nobody listens', async () => {
    const url = await listen(() => ({ status: 200 }));
    const [server] = servers.splice(0);
    await new Promise((resolve) => server?.close(resolve));
    expect((await tryOut(url)).port).toMatchObject({
      state: 'bad',
      words: expect.stringContaining('Nobody listens'),
      next: expect.stringContaining('router'),
    });
  });

  it('reports a program that speaks no TLS where the URL says https', async () => {
    const url = (await listen(() => ({ status: 200 }))).replace('http:', 'https:');
    expect((await tryOut(url)).tls).toMatchObject({ state: 'bad', next: expect.stringContaining('--tls-cert') });
  });

  it('reports another program, a clock that differs, and requests that arrive changed', async () => {
    await desk.account('till', 0n);
    expect((await tryOut(await listen(() => ({ status: 404, date: now() })))).clock).toMatchObject({
      state: 'bad',
      words: expect.stringContaining('404'),
    });
    const slow = new Date(desk.clock.now() - 400_000);
    expect((await tryOut(await listen(() => ({ status: 200, date: slow })))).clock).toMatchObject({
      state: 'bad',
      words: expect.stringContaining('400 seconds'),
    });
    const late = new Date(desk.clock.now() - 60_000);
    const refused = { error: { code: 'invalid_client', description: 'invalid signature' } };
    const found = await tryOut(await listen((path) => ({ status: path === '/healthz' ? 200 : 401, date: late, body: refused })));
    expect(found.clock).toMatchObject({ state: 'warning' });
    expect(found.signature).toMatchObject({ state: 'bad', words: expect.stringContaining('arrives changed') });
  });

  it('is good when every step is good, and needs an account for the signature', async () => {
    const url = await listen((path) =>
      path === '/healthz' ? { status: 200, date: now() } : { status: 400, date: now(), body: { error: { code: 'invalid_request' } } },
    );
    expect((await tryOut(url)).signature).toMatchObject({ state: 'skipped' });
    await desk.account('till', 0n);
    const found = await tryOut(url);
    expect(found.public_url).toMatchObject({ state: 'warning' });
    for (const name of ['dns', 'port', 'tls', 'clock', 'signature']) expect(found[name]).toMatchObject({ state: 'good' });
  });
});
