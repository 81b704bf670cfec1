import { afterEach, beforeEach, expect, it } from 'vitest';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { changeShop, logoFrom, setLogo } from '../shop/shop.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

const PNG = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01', 'latin1');
const page = (url: string) => node.app.inject({ url, headers: { accept: 'text/html' } });
const name = (profile: object) => node.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, ...profile } }));

it('a stranger learns nothing of a shop that nobody has named', async () => {
  await name({ address: ['High Street 1'] });
  const { statusCode, body } = await page('/');
  expect(statusCode).toBe(404);
  expect(body).not.toMatch(/High Street|alice/);
  expect((await page('/alice')).body).not.toContain('High Street');
});

it('the first page names the shop and its wallet addresses, made safe', async () => {
  await name({ name: '<b>Books</b>', address: ['High Street 1', 'Town'], colour: '#ffee00' });
  const { statusCode, body } = await page('/');
  expect(statusCode).toBe(200);
  expect(body).toContain('&lt;b&gt;Books&lt;/b&gt;');
  expect(body).toContain('<bdi>High Street 1</bdi><br><bdi>Town</bdi>');
  expect(body).toContain('--brand: #ffee00; --brand-on: #000000');
  expect(body).toMatch(/href="[^"]*\/alice"/);
  expect((await page('/alice')).body).toContain('High Street 1');
});

it('the first page keeps the wallet addresses to itself when the shop wants that', async () => {
  await name({ name: 'Books', showsAddresses: false });
  expect((await page('/')).body).not.toContain('/alice');
});

it('clients that ask for no page get what they always got', async () => {
  await name({ name: 'Books' });
  expect((await node.app.inject({ url: '/', headers: { accept: 'application/json' } })).statusCode).toBe(404);
});

it('the logo is served as what it is, may be kept for good, and is not sent again to whoever has it', async () => {
  await name({ name: 'Books' });
  await node.database.write((tx) => setLogo(tx, logoFrom(PNG)));
  const path = /src="(\/pay\/logo\/[\w-]{43})"/.exec((await page('/')).body)?.[1] ?? '';
  const first = await node.app.inject({ url: path });
  expect(first.rawPayload).toEqual(PNG);
  expect(first.headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  });
  const again = await node.app.inject({ url: path, headers: { 'if-none-match': first.headers.etag } });
  expect(again.statusCode).toBe(304);
  expect(again.body).toBe('');
  await node.database.write((tx) => setLogo(tx, undefined));
  expect((await node.app.inject({ url: path })).statusCode).toBe(404);
});
