import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EMPTY_PROFILE } from '../../src-shared/shop/shop-profile.ts';
import { findIncomingPayment, receive } from '../payments/incoming/incoming-payments.ts';
import { changeShop, logoFrom, setLogo } from '../shop/shop.ts';
import { openTestNode, type TestNode } from './testing/test-node.ts';

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

const get = (url: string, headers = {}) => node.app.inject({ url, headers: { accept: 'text/html', ...headers } });
const post = (url: string, fields: Record<string, string> = {}, site = 'same-origin') =>
  node.app.inject({
    ...{ method: 'POST', url, payload: new URLSearchParams(fields).toString() },
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site },
  });

async function sold(received = 1_250n): Promise<string> {
  const made = await node.payments.incomingPayments.create({
    ...{ walletAddress: node.accounts.alice, client: null },
    incomingAmount: { value: 1_250n, assetCode: 'USD', assetScale: 2 },
    metadata: { description: '<b>Roses</b>' },
    kept: { madeAt: 'till', note: 'Ann pays late', reference: null },
  });
  if (!made.ok) throw new Error(made.error);
  await node.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, made.value.id);
    if (payment !== undefined && received > 0n) await receive(tx, payment, received, node.clock.now());
  });
  return made.value.id;
}
const receiptOf = async (id: string) => String((await post(`/pay/${id}/receipt`)).headers.location);

it('the page of a paid payment leads to its receipt, which says the same sums, in the language of the customer', async () => {
  await node.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, name: 'Books & Tea', taxNumber: 'DE1' } }));
  const id = await sold();
  expect((await get(`/pay/${id}`)).body).toContain(`action="/pay/${id}/receipt"`);
  const { statusCode, headers } = await post(`/pay/${id}/receipt`);
  expect([statusCode, headers.location]).toEqual([303, expect.stringMatching(/^\/receipt\/[\w-]{32}$/)]);
  expect(await receiptOf(id)).toBe(headers.location);
  const page = await get(String(headers.location));
  for (const text of ['Books &amp; Tea', 'Tax number DE1', 'S-2026-000001', '&lt;b&gt;Roses&lt;/b&gt;', '12.50 USD', '<svg class="qr"'])
    expect(page.body).toContain(text);
  expect(page.body).not.toMatch(/Ann|<b>/);
  expect((await get(String(headers.location), { 'accept-language': 'de' })).body).toContain('12,50 USD');
});

it('a receipt is a PDF file in the language of the customer, and so many of them for one network at once', async () => {
  const url = `${await receiptOf(await sold())}/receipt.pdf`;
  const pdf = await get(url);
  expect(pdf.rawPayload.subarray(0, 5).toString()).toBe('%PDF-');
  expect(pdf.headers).toMatchObject({
    ...{ 'content-type': 'application/pdf', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    'content-disposition': 'attachment; filename="S-2026-000001.pdf"',
  });
  expect((await get(url)).rawPayload.equals(pdf.rawPayload)).toBe(true);
  expect((await get(url, { 'accept-language': 'ar' })).rawPayload.equals(pdf.rawPayload)).toBe(false);
  expect((await get(`/receipt/${'a'.repeat(32)}/receipt.pdf`)).statusCode).toBe(404);
  const codes = await Promise.all(Array.from({ length: 25 }, async () => (await get(url)).statusCode));
  expect(codes.filter((code) => code === 429).length).toBeGreaterThanOrEqual(5);
});

/** A picture of one black pixel, and one whose pixels are no more to be unpacked. */
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==', 'base64');
const BROKEN = Buffer.concat([PIXEL.subarray(0, 45), Buffer.alloc(4), PIXEL.subarray(49)]);

it('a receipt as a file has the logo while the shop still has the same one, and no broken one', async () => {
  await node.database.write((tx) => changeShop(tx, { profile: { ...EMPTY_PROFILE, name: 'Books & Tea' } }));
  const set = (picture: Buffer | undefined) => node.database.write((tx) => setLogo(tx, picture && logoFrom(picture)));
  const hasPicture = async (url: string) => {
    const { statusCode, rawPayload } = await get(`${url}/receipt.pdf`);
    expect([statusCode, rawPayload.subarray(-6).toString()]).toEqual([200, '%%EOF\n']);
    return rawPayload.includes('/Subtype /Image');
  };
  await set(PIXEL);
  const url = await receiptOf(await sold());
  expect(await hasPicture(url)).toBe(true);
  await set(BROKEN);
  expect(await hasPicture(url)).toBe(false);
  expect(await hasPicture(await receiptOf(await sold()))).toBe(false);
  await set(PIXEL);
  expect(await hasPicture(url)).toBe(true);
  await set(undefined);
  expect(await hasPicture(url)).toBe(false);
});

it('a receipt is nothing for robots, other sites and caches', async () => {
  const { headers } = await get(await receiptOf(await sold()));
  expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex', 'x-frame-options': 'DENY' });
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(headers['referrer-policy']).toBe('same-origin');
});

it('nothing is there without its link, or before the money, and no other page may ask', async () => {
  expect((await get(`/receipt/${'a'.repeat(32)}`)).statusCode).toBe(404);
  expect((await post(`/pay/${randomUUID()}/receipt`)).statusCode).toBe(404);
  const unpaid = await sold(0n);
  expect((await get(`/pay/${unpaid}`)).body).not.toContain('/receipt"');
  const { statusCode, body } = await post(`/pay/${unpaid}/receipt`);
  expect([statusCode, body]).toEqual([409, expect.stringContaining('There is no receipt yet')]);
  expect((await post(`/pay/${await sold()}/receipt`, {}, 'cross-site')).statusCode).toBe(403);
});

it('the page is as wide as the paper that was chosen, and says that it is a copy once the console has printed it', async () => {
  const id = await sold();
  const path = await receiptOf(id);
  expect((await get(path)).body).toContain('@page { size: A4;');
  expect((await get(`${path}?paper=roll58`)).body).toContain('@page { size: 58mm');
  expect((await get(`${path}?paper=%22}`)).body).toContain('@page { size: A4;');
  expect((await get(path)).body).not.toContain('class="copy"');
  await node.payments.receipts.notePrint({ kind: 'sale', id });
  expect((await get(path)).body).toContain('<p class="copy">Copy</p>');
});

it('the check tells a receipt that is unchanged from one that is not', async () => {
  const path = await receiptOf(await sold());
  const jws = (await get(`${path}/signed`)).body;
  const check = async (receipt: string) => /data-found="(\w+)"/.exec((await post('/receipt/check', { receipt })).body)?.[1];
  expect(await check(`https://pay.example${path}`)).toBe('unchanged');
  expect(await check(jws)).toBe('unchanged');
  const [head, payload = '', signature] = jws.split('.');
  const other = Buffer.from(payload, 'base64url').toString().replace('"total":"1250"', '"total":"1251"');
  expect(await check([head, Buffer.from(other).toString('base64url'), signature].join('.'))).toBe('changed');
  expect(await check('https://pay.example/receipt/nothing')).toBe('unknown');
  expect((await get('/receipt/check')).body).toContain('<textarea');
  expect((await get('/receipt/jwks.json')).json()).toMatchObject({ keys: [{ kty: 'OKP', crv: 'Ed25519' }] });
});

it('a visitor cannot look for receipts for ever', async () => {
  const answers = [];
  for (let nth = 0; nth < 14; nth += 1) answers.push((await post('/receipt/check', { receipt: String(nth) })).statusCode);
  expect(answers.slice(0, 12)).toEqual(Array(12).fill(200));
  expect(answers.at(-1)).toBe(429);
});
