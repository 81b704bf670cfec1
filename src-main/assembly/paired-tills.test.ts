import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createOperatorApi } from '../operator-api/operator-api.ts';
import { openOperator } from './testing/node-operator.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
let folder: string;
let operator: ReturnType<typeof openOperator>;

/** Opens a node whose public listener serves paired tills. */
async function open(config: NonNullable<Parameters<typeof openTestNode>[0]>['config'] = {}): Promise<void> {
  node = await openTestNode({ config });
  operator = openOperator(node, folder);
  const limits = node.app.rateLimits;
  createOperatorApi(operator.context).serveTills(node.app, {
    rendererDir: folder,
    welcome: (request, id) => limits?.welcomeTill(request, id),
  });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paydesk-tills-'));
  for (const name of ['assets', 'till']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'till.html'), '<p>till</p>');
  writeFileSync(join(folder, 'assets/a.js'), '1');
});
afterEach(async () => {
  await operator.context.lock.close();
  await node.close();
  rmSync(folder, { recursive: true });
});

const OWN = { origin: ORIGIN, 'sec-fetch-site': 'same-origin', 'x-paydesk-console': '1', 'content-type': 'application/json' };
const post = (url: string, headers: Record<string, string> = OWN, payload: object | string = {}) =>
  node.app.inject({ method: 'POST', url, headers, payload });

async function newDevice(): Promise<Record<string, string>> {
  const { link } = await operator.client.tills.add({ name: 'Window', accountId: null });
  const paired = await post('/till/pair', OWN, { secret: new URL(link).hash.slice('#pair='.length) });
  const cookie = String(paired.headers['set-cookie']).split(';')[0] ?? '';
  return { ...OWN, cookie, 'x-paydesk-session': (paired.json() as { pageSecret: string }).pageSecret };
}

it('no other page may read the answers of the tills, which apps of every page may of the public API', async () => {
  await open();
  for (const url of ['/till/', '/till/assets/a.js', '/till/manifest.webmanifest']) {
    const { statusCode, headers } = await node.app.inject({ url });
    expect([statusCode, headers['access-control-allow-origin']], url).toEqual([200, undefined]);
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
  }
  expect((await post('/till/rpc/requests/sales')).headers['access-control-allow-origin']).toBeUndefined();
  expect((await node.app.inject({ url: '/alice' })).headers['access-control-allow-origin']).toBe('*');
});

it('the public API does not describe the tills, and an account that is called till lives beside them', async () => {
  await open();
  await node.account('till', 'USD', 0n);
  const json = { accept: 'application/json' };
  expect((await node.app.inject({ url: '/till', headers: json })).json()).toMatchObject({ id: `${ORIGIN}/till` });
  expect((await node.app.inject({ url: '/till/jwks.json', headers: json })).json()).toMatchObject({ keys: [{ kty: 'OKP' }] });
  expect((await node.app.inject({ url: '/till/' })).body).toBe('<p>till</p>');
  const { paths } = (await node.app.inject({ url: '/openapi.json' })).json() as { paths: Record<string, unknown> };
  expect(Object.keys(paths).filter((path) => path.startsWith('/till'))).toEqual([]);
});

it('a body that is no JSON is refused as that of every other door, and causes no line of the log', async () => {
  await open();
  const device = await newDevice();
  expect((await post('/till/rpc/requests/sales', device, '{')).statusCode).toBe(400);
  expect((await post('/till/pair', { ...OWN, 'content-type': 'text/plain' }, 'x')).statusCode).toBe(415);
  expect((await post('/till/pair', OWN, { secret: 'x'.repeat(70_000) })).statusCode).toBe(413);
});

it('a stranger who opens the page leaves no row and asks nothing of the database', async () => {
  await open();
  await node.app.ready();
  const before = await node.test.look('select (select count(*) from tills) as tills, (select count(*) from events) as events');
  for (let count = 0; count < 20; count += 1) expect((await node.app.inject({ url: '/till/' })).statusCode).toBe(200);
  expect((await post('/till/rpc/requests/sales')).statusCode).toBe(401);
  expect((await post('/till/pair', OWN, { secret: 'x'.repeat(43) })).statusCode).toBe(403);
  expect(await node.test.look('select (select count(*) from tills) as tills, (select count(*) from events) as events')).toEqual(before);
});

it('attack: a stranger behind the same address fails until it is refused. The till goes on selling', async () => {
  await open({ clientRate: 1_000 });
  const device = await newDevice();
  expect((await post('/till/rpc/requests/sales', device)).statusCode).toBe(200);
  let refused = 0;
  for (let count = 0; count < 260; count += 1) if ((await post('/till/rpc/requests/sales')).statusCode === 429) refused += 1;
  expect(refused).toBeGreaterThan(0);
  expect((await post('/till/rpc/requests/sales', device)).statusCode).toBe(200);
});
