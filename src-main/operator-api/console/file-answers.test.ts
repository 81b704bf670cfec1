import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { speak } from '../../../src-shared/words/language/language.ts';
import { incomingPayments } from '../../payments/tables.ts';
import { speakIn } from '../../platform/settings/message-language.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { ask } from '../testing/ask.ts';
import { type Desk, openDesk } from '../testing/desk.ts';
import { OPERATOR_TOKEN_FILE } from './console-files.ts';
import type { RunningConsole } from './console-server.ts';

let desk: Desk;
let running: RunningConsole;
let shop: WalletAddress;

beforeEach(async () => {
  desk = openDesk();
  running = await desk.startConsole();
  shop = await desk.account('shop', 0n);
});
afterEach(async () => {
  await running.close();
  await desk.close();
});

const call = (method: string, path: string, body?: unknown) =>
  ask(running.url, method, `/operator/api${path}`, { authorization: `Bearer ${desk.token()}` }, body);

/** The cells of a table by the names of its columns. No cell of these tests holds a quote or the end of a line. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head = [], ...lines] = csv
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split('\r\n')
    .map((line) => line.slice(1, -1).split('","'));
  return lines.map((cells) => Object.fromEntries(cells.map((cell, index) => [head[index] ?? '', cell])));
}

it.each(['payments', 'activity'])('a script gets the export of %s as a CSV file with a name', async (name) => {
  await call('POST', '/settings/time-zone', { timeZone: 'Pacific/Kiritimati' });
  desk.clock.advance(11 * 60 * 60_000);
  const { status, headers, body } = await call('GET', `/${name}/export`);
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
  // On 1 January at 11:00 UTC it is the second of January at the shop.
  expect(headers['content-disposition']).toBe(`attachment; filename="${name}-2026-01-02.csv"`);
  expect(body).toMatch(/^\uFEFF"\w+"(,"\w+")*\r\n/);
});

it('the payments come with the deposits and withdrawals between them, newest first', async () => {
  const [till, float] = [await desk.account('till', 10_000n), await desk.account('float', 0n)];
  desk.clock.advance(1_000);
  await desk.incomingPayments.create({ walletAddress: shop, client: null, metadata: { description: 'Roses' } });
  desk.clock.advance(1_000);
  await call('POST', `/accounts/${till.id}/withdrawals`, { requestId: randomUUID(), amount: '2500', note: 'To the bank' });
  desk.clock.advance(1_000);
  await call('POST', `/accounts/${float.id}/deposits`, { requestId: randomUUID(), amount: '700', note: 'Change' });

  const exported = async (query: string) =>
    rowsOf((await call('GET', `/payments/export${query}`)).body).map((row) =>
      ['direction', 'status', 'account', 'amount', 'moved', 'description', 'note'].map((name) => row[name]).join('|'),
    );
  const change = 'in|Deposited|float|7.00|7.00||Change';
  const bank = 'out|Withdrawn|till|25.00|25.00||To the bank';
  const roses = 'in|Waiting|shop||0.00|Roses|';
  const opening = 'in|Deposited|till|100.00|100.00||Opening balance';
  expect(await exported('')).toEqual([change, bank, roses, opening]);
  // Scripts read it, whatever language the desktop app speaks to its user.
  await speakIn('de');
  expect(await exported('').finally(() => speak('en'))).toEqual([change, bank, roses, opening]);
  expect(await exported('?direction=out')).toEqual([bank]);
  expect(await exported(`?accountId=${till.id}`)).toEqual([bank, opening]);
  expect(await exported('?createdFrom=2026-01-01T00:00:02Z&createdBefore=2026-01-01T00:00:03Z')).toEqual([bank]);
  // What only payments have leaves the rest out.
  for (const query of ['status=waiting', 'text=rose', 'client=', 'unpaid=false&status=waiting'])
    expect(await exported(`?${query}`)).toEqual([roses]);
});

it('the money of the exchange is no deposit into an account', async () => {
  await call('POST', '/exchange-accounts/deposits', { requestId: randomUUID(), assetCode: 'USD', assetScale: 2, amount: '900', note: '' });
  expect(rowsOf((await call('GET', '/payments/export')).body)).toEqual([]);
});

it('the command of the README saves the table under its name', async () => {
  await desk.incomingPayments.create({ walletAddress: shop, client: null, metadata: { description: 'Roses' } });
  const readme = readFileSync(join(import.meta.dirname, '../../../README.md'), 'utf8');
  const [command] = /^curl -OJ [\s\S]*?(?=^```)/m.exec(readme) ?? [];
  const here = command
    ?.replace('http://127.0.0.1:3001', running.url)
    .replace('data/operator-token', `'${join(desk.folder, OPERATOR_TOKEN_FILE)}'`);
  const cwd = join(desk.folder, 'saved');
  mkdirSync(cwd);
  await promisify(execFile)('sh', ['-c', here ?? 'false'], { cwd });
  expect(readdirSync(cwd)).toEqual(['payments-2026-01-01.csv']);
  expect(rowsOf(readFileSync(join(cwd, 'payments-2026-01-01.csv'), 'utf8'))).toMatchObject([{ description: 'Roses', status: 'Waiting' }]);
});

it('the export of payments says their states in words, and what has arrived', async () => {
  const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });
  const request = async (client: string | null, received: bigint, ends: 'open' | 'completed' | 'expired') => {
    desk.clock.advance(1);
    const made = await desk.incomingPayments.create({
      walletAddress: shop,
      client,
      incomingAmount: usd(500n),
      ...(ends === 'expired' && { expiresAt: desk.clock.now() + 1_000 }),
    });
    if (!made.ok) throw new Error(made.error);
    const { id } = made.value;
    await desk.database.write(async (tx) => {
      await tx.update(incomingPayments).set({ received }).where(eq(incomingPayments.id, id));
    });
    if (ends === 'completed') await desk.incomingPayments.complete(id, null);
  };
  await request(null, 0n, 'open');
  await request(null, 200n, 'open');
  await request(null, 500n, 'completed');
  await request(null, 0n, 'completed');
  await request(null, 0n, 'expired');
  await request('https://app.example/till', 0n, 'completed');
  desk.clock.advance(2_000);
  const states = async (query: string) =>
    rowsOf((await call('GET', `/payments/export${query}`)).body).map(({ status, amount, moved }) => `${status}: ${moved} of ${amount}`);
  const [none, part, all] = ['0.00 of 5.00', '2.00 of 5.00', '5.00 of 5.00'];
  expect(await states('')).toEqual([`Expired: ${none}`, `Cancelled: ${none}`, `Paid: ${all}`, `Partly paid: ${part}`, `Waiting: ${none}`]);
  expect(await states('?unpaid=true')).toEqual([`Nothing received: ${none}`]);
});

it('a script that sends a wrong filter, or has no token, gets JSON and no table', async () => {
  const wrong = await call('GET', '/payments/export?direction=up');
  expect([wrong.status, wrong.headers['content-type']]).toEqual([400, expect.stringContaining('application/json')]);
  const stranger = await ask(running.url, 'GET', '/operator/api/payments/export');
  expect(stranger.status).toBe(403);
});

it('a script gets a statement as a file in its format, and the last numbers for DATEV are remembered', async () => {
  await call('POST', '/settings/time-zone', { timeZone: 'Europe/Berlin' });
  await call('POST', `/accounts/${shop.id}/deposits`, { requestId: randomUUID(), amount: '700', note: 'Größe' });
  const period = `accountId=${shop.id}&from=2026-01-01&to=2026-01-31`;
  const camt = await call('GET', `/statements/export?${period}&format=camt053&language=de`);
  expect([camt.status, camt.headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8']);
  expect(camt.headers['content-disposition']).toBe('attachment; filename="statement-2026-01-01-2026-01-31.xml"');
  expect(camt.body).toContain('<AddtlNtryInf>Einzahlung</AddtlNtryInf>');
  expect((await call('GET', `/statements/export?${period}&format=camt053&language=de`)).body).toBe(camt.body);

  const needed = await call('GET', `/statements/export?${period}&format=datev`);
  expect([needed.status, JSON.parse(needed.body).code]).toEqual([400, 'DATEV_NEEDED']);
  const numbers = { consultant: 1_001, client: 7, yearBegins: 1, wallet: '1800', received: '4400', sent: '5900', transit: '1460' };
  const typed = Object.entries(numbers).map(([name, value]) => `datev[${name}]=${value}`);
  const batch = await call('GET', `/statements/export?${period}&format=datev&${typed.join('&')}`);
  expect([batch.status, batch.headers['content-type']]).toEqual([200, 'text/csv; charset=windows-1252']);
  expect((await call('GET', `/statements/export?${period}&format=datev`)).body).toBe(batch.body);
  expect(JSON.parse((await call('GET', '/statements/settings')).body)).toEqual({ datev: numbers });

  const codeOf = async (query: string) => JSON.parse((await call('GET', `/statements/export?${query}`)).body).code;
  expect(await codeOf(`accountId=${shop.id}&from=2026-02-01&to=2026-01-01&format=csv`)).toBe('BAD_PERIOD');
  expect(await codeOf(`accountId=${randomUUID()}&from=2026-01-01&to=2026-01-01&format=csv`)).toBe('NOT_FOUND');
  expect(await codeOf(`accountId=${shop.id}&from=2025-12-31&to=2026-01-01&format=datev`)).toBe('TWO_YEARS');
  expect(await codeOf(`${period}&format=datev&${typed.join('&').replace('1800', '18000')}`)).toBe('ACCOUNTS_DIFFER');
  await desk.test.tamper(`update ledger_accounts set balance = balance + 1 where id = 'customer:${shop.id}'`);
  expect(await codeOf(`${period}&format=csv`)).toBe('BOOKS_DIFFER');
});
