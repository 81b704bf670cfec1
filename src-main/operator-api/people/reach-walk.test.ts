import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';
import { findIncomingPayment, receive } from '../../payments/incoming/incoming-payments.ts';
import { knownBrowsers, passkeys } from '../tables.ts';
import { ask, pageHeaders } from '../testing/ask.ts';
import { type Client, type Desk, openDesk } from '../testing/desk.ts';
import { clientWith, PROCEDURES } from '../testing/operations.ts';
import { serveTills } from '../till-door/till-door.ts';

// Every operation that takes an id is asked about a thing that is out of the caller's reach, and about an id that
// nothing has. Nobody can tell the two answers apart, so nobody learns that the thing exists.

const APP = 'https://app.example/wallet';

/** What an id of an input names. */
type Kind = 'account' | 'received' | 'payment' | 'sale' | 'claim' | 'wallet' | 'session' | 'waiting' | 'passkey' | 'browser' | 'till';

/** What each id names, of the operations that one of the callers may call. */
const NAMES: Readonly<Record<string, Kind | { readonly inReach: string }>> = {
  'accounts.get.id': 'account',
  'accounts.movements.id': 'account',
  'accounts.deposit.id': 'account',
  'accounts.withdraw.id': 'account',
  'accounts.keys.list.id': 'account',
  'payments.list.accountId': 'account',
  'payments.list.tillId': 'till',
  'payments.summary.accountId': 'account',
  'payments.summary.tillId': 'till',
  'payments.export.accountId': 'account',
  'payments.export.tillId': 'till',
  'payments.get.id': 'payment',
  'payments.archived.id': 'payment',
  'refunds.create.paymentId': 'received',
  'refunds.price.paymentId': 'received',
  'refunds.of.paymentId': 'received',
  'refunds.payers.paymentId': 'received',
  'refunds.list.paymentId': 'received',
  'refunds.list.cursor': { inReach: 'it is a place in a list, which is of one payment' },
  'claims.make.paymentId': 'received',
  'claims.of.paymentId': 'received',
  'claims.of.cursor': 'claim',
  'claims.cancel.id': 'claim',
  'claims.refund.id': 'claim',
  'claims.refund.walletId': 'wallet',
  'claims.refuse.id': 'claim',
  'claims.refuse.walletId': 'wallet',
  'requests.create.accountId': 'account',
  'requests.create.bill.lines[].productId': { inReach: 'products are those of the whole shop' },
  'requests.accounts.id': 'account',
  'requests.get.id': 'sale',
  'requests.bill.id': 'sale',
  'requests.cancel.id': 'sale',
  'requests.changeNotes.id': 'sale',
  'requests.failedAttempts.id': 'sale',
  'receipts.issue.id': 'sale',
  'receipts.get.id': 'sale',
  'receipts.pdf.id': 'sale',
  'receipts.print.id': 'sale',
  'printing.ofReceipt.id': 'sale',
  'printing.print.id': 'sale',
  'statements.look.accountId': 'account',
  'statements.export.accountId': 'account',
  'waiting.withdraw.id': 'waiting',
  'sessions.end.id': 'session',
  'ways.removePasskey.id': 'passkey',
  'ways.forgetBrowser.id': 'browser',
};

/** The paths of a schema's members that hold an id, without the ids that the caller makes up. */
function idsIn(schema: unknown, path = ''): string[] {
  const {
    properties = {},
    items,
    anyOf = [],
    oneOf = [],
    allOf = [],
    format,
  } = schema as {
    properties?: Record<string, unknown>;
    items?: unknown;
    anyOf?: unknown[];
    oneOf?: unknown[];
    allOf?: unknown[];
    format?: string;
  };
  const members = Object.entries(properties).flatMap(([name, part]) => idsIn(part, path === '' ? name : `${path}.${name}`));
  const others = [...anyOf, ...oneOf, ...allOf].flatMap((part) => idsIn(part, path));
  const own = format === 'uuid' && !path.endsWith('requestId') ? [path] : [];
  return [...new Set([...own, ...members, ...(items === undefined ? [] : idsIn(items, `${path}[]`)), ...others])];
}

/** Every operation of the contract with an id, and the path of the id. */
const MEMBERS = PROCEDURES.flatMap(([name, procedure]): [OperationName, string][] => {
  const { inputSchema } = procedure['~orpc'];
  if (!(inputSchema instanceof z.ZodType)) return [];
  return idsIn(z.toJSONSchema(inputSchema, { unrepresentable: 'any', io: 'input' })).map((member) => [name, member]);
});

/** Everything else that these operations want to know. */
const REST = {
  ...{ kind: 'sale', reason: 'no', language: 'en', paper: 'a4', copies: 1, note: 'mine', format: 'csv' },
  ...{ from: '2026-01-01', to: '2026-01-31' },
};
/** Amounts, which are text on the way. */
const AMOUNTS: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  'accounts.deposit': ['amount'],
  'accounts.withdraw': ['amount'],
  'refunds.create': ['amount'],
  'refunds.price': ['receive'],
  'claims.make': ['amount'],
  'requests.create': ['amount'],
};

let desk: Desk;
let url: string;
let owner: Client;
let close: () => Promise<void>;
let tillDoor: FastifyInstance;
let tillUrl: string;
/** Two accounts, of which the callers for one account know the first. */
let accounts: { own: string; other: string };
/** A paid request of the account that all callers know. */
let ownSale: string;
beforeEach(async () => {
  desk = openDesk();
  ({ url, close } = await desk.startConsole());
  owner = clientWith(url, desk.token());
  accounts = { own: (await desk.account('own', 0n)).id, other: (await desk.account('other', 50_000n)).id };
  ownSale = await soldInto(accounts.own);
  const rendererDir = join(desk.folder, 'renderer');
  mkdirSync(join(rendererDir, 'till'), { recursive: true });
  writeFileSync(join(rendererDir, 'till.html'), '');
  tillDoor = Fastify({ forceCloseConnections: true });
  serveTills(tillDoor, desk.context, { rendererDir, welcome: () => undefined });
  tillUrl = await tillDoor.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  await tillDoor.close();
  await close();
  await desk.close();
});

const pay = (id: string, amount: bigint) =>
  desk.database.write(async (tx) => {
    const payment = await findIncomingPayment(tx, id);
    if (payment !== undefined) await receive(tx, payment, amount, desk.clock.now());
  });

/** A request of an account that was paid. */
async function soldInto(accountId: string): Promise<string> {
  const { id } = await owner.requests.create({ requestId: randomUUID(), accountId, amount: 500n, madeAt: 'till' });
  await pay(id, 500n);
  await owner.receipts.issue({ kind: 'sale', id });
  return id;
}

/** What an app has asked for: one that is open, and one that was paid. */
async function askedByApp(): Promise<string[]> {
  const walletAddress = await desk.account('app', 0n);
  const ids: string[] = [];
  for (const paid of [0n, 900n]) {
    const incomingAmount = { value: 900n, assetCode: 'USD', assetScale: 2 };
    const made = await desk.incomingPayments.create({ walletAddress, client: APP, incomingAmount });
    if (!made.ok) throw new Error(made.error);
    if (paid > 0n) await pay(made.value.id, paid);
    ids.push(made.value.id);
  }
  return ids;
}

interface Caller {
  name: string;
  call: (operation: OperationName, body: object) => Promise<{ status: number; body: string }>;
  /** Things that exist, and of which the caller may not hear. */
  beyond: Readonly<Partial<Record<Kind, readonly string[]>>>;
}

const overHttp =
  (at: string, prefix: string, headers: Record<string, string | undefined>): Caller['call'] =>
  (operation, body) =>
    ask(at, 'POST', `${prefix}/${operation.replaceAll('.', '/')}`, headers, body);

async function signedIn(at: string, path: string, origin: string, secret: string): Promise<Record<string, string | undefined>> {
  const answer = await ask(at, 'POST', path, pageHeaders(origin), { secret });
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return pageHeaders(origin, { cookie, ...(JSON.parse(answer.body) as { pageSecret: string }) });
}

/** The callers whose reach is less than the shop, with what is beyond it. */
async function callersOf(): Promise<Caller[]> {
  const ofApp = await askedByApp();
  const [ofOther, forClaim] = [await soldInto(accounts.other), await soldInto(accounts.other)];
  const claimOf = async (paymentId: string) => (await owner.claims.make({ requestId: randomUUID(), paymentId, amount: 100n })).id;
  const [ofAppClaim, ofOtherClaim] = [await claimOf(ofApp[1] ?? ''), await claimOf(forClaim)];
  const sent = await sentFrom(accounts.other);
  const { till } = await owner.tills.add({ name: 'Window', accountId: accounts.other });
  const personal = { ...(await ownedByAnother()), waiting: [await waitingOfAnother()] };
  const apps = { payment: [...ofApp, ...sent], received: ofApp, sale: [...ofApp, ...sent], claim: [ofAppClaim] };
  const others = { payment: [ofOther, ...apps.payment], received: [ofOther, ...ofApp], sale: [ofOther, ...apps.sale] };
  const beyondAccount = { ...others, account: [accounts.other], claim: [ofAppClaim, ofOtherClaim], till: [till.id] };
  const key = async (name: string, wanted: { role: 'cashier' | 'manager'; accounts?: string[] }) =>
    overHttp(url, '/operator/rpc', { authorization: `Bearer ${(await owner.apiKeys.create({ name, ...wanted })).value}` });
  const person = await signedIn(url, '/operator/session', url, (await owner.people.invite({ name: 'Carl', role: 'cashier' })).secret);
  const { link } = await owner.tills.add({ name: 'Door', accountId: accounts.own });
  const { origin } = desk.context.urls;
  const device = await signedIn(tillUrl, '/till/pair', origin, new URL(link).hash.replace('#pair=', ''));
  const own = [accounts.own];
  return [
    { name: 'cashier, browser', call: overHttp(url, '/operator/rpc', person), beyond: { ...apps, ...personal } },
    { name: 'cashier, key', call: await key('counter', { role: 'cashier' }), beyond: { ...apps, ...personal } },
    { name: 'cashier, key of one account', call: await key('one', { role: 'cashier', accounts: own }), beyond: beyondAccount },
    { name: 'manager, key of one account', call: await key('two', { role: 'manager', accounts: own }), beyond: beyondAccount },
    { name: 'till, device', call: overHttp(tillUrl, '/till/rpc', device), beyond: beyondAccount },
  ];
}

/** A payment that an account has sent. */
async function sentFrom(accountId: string): Promise<string[]> {
  const { link } = await owner.requests.create({ requestId: randomUUID(), accountId: accounts.own, amount: 700n });
  const { id: quoteId } = await owner.payments.quote({ requestId: randomUUID(), accountId, payee: link });
  const requestId = randomUUID();
  await owner.payments.pay({ requestId, accountId, quoteId });
  return [requestId];
}

/** The session, the passkey and the known browser of another person. */
async function ownedByAnother(): Promise<Caller['beyond']> {
  const { id, secret } = await owner.people.invite({ name: 'Mia', role: 'manager' });
  const mia = await signedIn(url, '/operator/session', url, secret);
  const { body } = await ask(url, 'POST', '/operator/rpc/sessions/list', mia, {});
  const { sessions } = (JSON.parse(body) as { json: { sessions: { id: string }[] } }).json;
  const passkey = randomUUID();
  const key = { rpId: 'localhost', credentialId: 'mine', publicKey: 'none', counter: 0, transports: '', isPaused: false };
  const row = { id: passkey, personId: id, name: 'Phone', ...key, createdAt: desk.clock.now() };
  await desk.database.write((tx) => tx.insert(passkeys).values(row));
  const known = await desk.database.read.select({ id: knownBrowsers.id }).from(knownBrowsers);
  expect([sessions.length, known.length]).toEqual([1, 1]);
  return { session: sessions.map((session) => session.id), passkey: [passkey], browser: known.map((browser) => browser.id) };
}

/** A payment of the owner that waits for Mia. */
async function waitingOfAnother(): Promise<string> {
  const usd = { assetCode: 'USD', assetScale: 2 };
  await owner.secondPerson.set({ what: 'money', ...usd, above: 1_000n });
  const { link } = await owner.requests.create({ requestId: randomUUID(), accountId: accounts.own, amount: 1_500n });
  const { id: quoteId } = await owner.payments.quote({ requestId: randomUUID(), accountId: accounts.other, payee: link });
  const asked = owner.payments.pay({ requestId: randomUUID(), accountId: accounts.other, quoteId });
  await expect(asked).rejects.toMatchObject({ code: 'WAITS_FOR_SECOND' });
  return (await owner.waiting.list()).items[0]?.id ?? '';
}

const REFUSED = /"code":"(NOT_ALLOWED|KEY_MAY_NOT|KEY_OF_ACCOUNTS|TILL_MAY_NOT|PERSONS_ONLY)"/;

/** An input of the operation in which one member names this, and the others what the caller knows. */
function inputOf(operation: OperationName, member: string, id: string): object {
  const amounts = AMOUNTS[operation] ?? [];
  const others = MEMBERS.filter(([name, one]) => name === operation && one !== member && !/cursor|till|\[/.test(one));
  // A payment that the caller knows, so that what is named beside it is looked at.
  const known = Object.fromEntries(others.map(([, one]) => [one, /account/i.test(one) ? accounts.own : ownSale]));
  const json = { ...REST, requestId: randomUUID(), ...known, ...Object.fromEntries(amounts.map((name) => [name, '1'])), [member]: id };
  return { json, meta: amounts.map((name) => [0, name]) };
}

it('every operation that takes an id answers about what is out of reach as about what does not exist', async () => {
  const cells: Record<string, { refused: number; 'finds nothing': number; 'in reach': number; 'not as expected': number }> = {};
  const wrong: string[] = [];
  for (const { name, call, beyond } of await callersOf()) {
    const cell = { refused: 0, 'finds nothing': 0, 'in reach': 0, 'not as expected': 0 };
    cells[name] = cell;
    for (const [operation, member] of MEMBERS) {
      const about = async (id: string) => (await call(operation, inputOf(operation, member, id))).body.replaceAll(id, 'the id');
      const nothing = await about(randomUUID());
      if (REFUSED.test(nothing)) {
        cell.refused += 1;
        continue;
      }
      const kind = NAMES[`${operation}.${member}`];
      if (kind === undefined) wrong.push(`${name} ${operation}.${member} is not in the walk: ${nothing}`);
      const ids = typeof kind === 'string' ? (beyond[kind] ?? []) : [];
      if (ids.length === 0) cell['in reach'] += 1;
      else if (nothing.includes('BAD_REQUEST')) wrong.push(`${name} ${operation}.${member} was not understood: ${nothing}`);
      const told = [];
      for (const id of ids) told.push(await about(id));
      const isSame = told.every((answer) => answer === nothing);
      if (ids.length > 0) cell[isSame ? 'finds nothing' : 'not as expected'] += 1;
      if (!isSame) wrong.push(`${name} ${operation}.${member}: ${nothing} is not ${told.join(' ')}`);
    }
  }
  console.table(cells);
  expect(wrong).toEqual([]);
  expect(cells['till, device']?.['finds nothing']).toBeGreaterThan(8);
  expect(cells['manager, key of one account']?.['finds nothing']).toBeGreaterThan(30);
});

it('the walk finds the ids of all inputs, within lists and choices too', () => {
  const found = MEMBERS.map(([operation, member]) => `${operation}.${member}`);
  for (const one of ['apps.revokeSeveral.ids[]', 'people.change.id', 'requests.create.bill.lines[].productId', 'tills.add.accountId'])
    expect(found).toContain(one);
  expect(found.length).toBeGreaterThan(100);
  // What is in the list is in the contract.
  expect(Object.keys(NAMES).filter((name) => !found.includes(name))).toEqual([]);
});
