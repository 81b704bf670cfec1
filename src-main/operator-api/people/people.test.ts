import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Role } from '../../../src-shared/people/roles.ts';
import { appendEvent } from '../../journal/events.ts';
import { transfer } from '../../ledger/ledger.ts';
import { openPayments } from '../../payments/testing/payments.ts';
import { HERE } from '../sign-in/testing/browsers.ts';
import { ask, pageHeaders, type SignedIn } from '../testing/ask.ts';
import { type Client, type Desk, openDesk } from '../testing/desk.ts';
import { makeRequests } from '../testing/filled-account.ts';
import { MOST_PEOPLE, People, SIGN_IN_LINK_MS } from './people.ts';
import { OperatorSessions } from './sessions.ts';

const HOUR = 3_600_000;
let desk: Desk;
let url: string;
let owner: Client;
let close: () => Promise<void>;
beforeEach(async () => {
  desk = openDesk(openPayments());
  ({ url, close } = await desk.startConsole());
  owner = createORPCClient<Client>(new RPCLink({ url: `${url}/operator/rpc`, headers: { authorization: `Bearer ${desk.token()}` } }));
});
afterEach(async () => {
  await close();
  await desk.close();
});

const redeem = async (secret: string) => await ask(url, 'POST', '/operator/session', pageHeaders(url), { secret });

/** Opens a link. @returns what the browser keeps, and the operations as its page calls them. */
async function open(secret: string) {
  const answer = await redeem(secret);
  if (answer.status !== 201) throw new Error(`the link was refused with ${answer.status}`);
  const signedIn: SignedIn = {
    cookie: answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
    ...(JSON.parse(answer.body) as { pageSecret: string }),
  };
  const headers = () => {
    const all = Object.entries(pageHeaders(url, signedIn)).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return Object.fromEntries(all);
  };
  return { signedIn, client: createORPCClient<Client>(new RPCLink({ url: `${url}/operator/rpc`, headers })) };
}

async function newPerson(role: Role, name = `a ${role}`) {
  const { id, secret } = await owner.people.invite({ name, role });
  return { id, ...(await open(secret)) };
}

/** Opens a console link, which signs the owner in. */
async function ownerInBrowser() {
  const link = new URLSearchParams(new URL((await desk.api.createLink()).url).hash.slice(1)).get('link') ?? '';
  return await open(link);
}

const entries = async () => (await owner.activity.list({})).items.map(({ operation, by }) => [operation, by?.kind, by?.name, by?.role]);

it('a node that knows nobody else has one owner, who signs in by a console link and needs no name', async () => {
  const { client } = await ownerInBrowser();
  expect(await client.people.me()).toMatchObject({ person: { id: 'owner', name: '' }, role: 'owner' });
  expect((await client.people.list()).people).toMatchObject([{ id: 'owner', name: '', state: 'active', isYou: true, sessions: 1 }]);
});

it('a session of an earlier version is one of the first owner', async () => {
  const { client } = await ownerInBrowser();
  await desk.test.tamper('delete from people');
  expect(await client.people.me()).toMatchObject({ person: { id: 'owner' }, role: 'owner' });
  await client.people.change({ id: 'owner', name: 'Olga' });
  expect(await client.people.me()).toMatchObject({ person: { id: 'owner', name: 'Olga' } });
});

it('each role signs in by a link and may do in a browser what the contract says', async () => {
  for (const role of ['manager', 'cashier', 'accountant'] as const) {
    const { id, client } = await newPerson(role);
    expect(await client.people.me()).toMatchObject({ person: { id, name: `a ${role}` }, role });
    await expect(client.people.list()).rejects.toMatchObject({ code: 'NOT_ALLOWED', status: 403 });
    await expect(
      client.rates.fund({ requestId: crypto.randomUUID(), assetCode: 'USD', assetScale: 2, amount: 5n, note: '' }),
    ).rejects.toMatchObject({
      code: 'NOT_ALLOWED',
    });
  }
});

it("attack: a cashier's cookie on operations of the owner, as a page and as a script", async () => {
  const { signedIn, client } = await newPerson('cashier');
  await expect(client.people.invite({ name: 'Eve', role: 'owner' })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  await expect(client.accounts.list({})).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  expect((await ask(url, 'GET', '/operator/api/people', { ...pageHeaders(url, signedIn) })).status).toBe(403);
  expect((await ask(url, 'POST', '/operator/links', pageHeaders(url, signedIn))).status).toBe(401);
  const cookieAlone = { cookie: signedIn.cookie };
  expect((await ask(url, 'GET', '/operator/api/people', cookieAlone)).status).toBe(403);
});

it('attack: a cashier looks for balances in the accounts that may be paid into', async () => {
  const account = { name: 'till', publicName: 'Till', assetCode: 'USD', assetScale: 2 };
  await owner.accounts.create({ requestId: crypto.randomUUID(), ...account, openingBalance: 5n });
  const { client } = await newPerson('cashier');
  const [listed] = (await client.requests.accounts({})).items;
  expect(listed).toEqual({ id: expect.any(String), ...account });
  expect(await client.requests.accounts({ id: listed?.id ?? '' })).toEqual({ items: [listed] });
  expect(await client.requests.accounts({ id: crypto.randomUUID() })).toEqual({ items: [] });
});

it('attack: a link of an invitation is opened twice, and by two browsers at once', async () => {
  const { secret } = await owner.people.invite({ name: 'Ada', role: 'cashier' });
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => redeem(secret)))).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, ...Array(7).fill(403)]);
  expect((await redeem(secret)).status).toBe(403);
  expect((await owner.people.list()).people).toMatchObject([
    { id: 'owner' },
    { name: 'Ada', state: 'active', sessions: 1, linkEndsAt: null },
  ]);
});

it('attack: a link of an invitation is opened after its 24 hours', async () => {
  const { secret, endsAt } = await owner.people.invite({ name: 'Ada', role: 'cashier' });
  expect(endsAt).toEqual(new Date(desk.clock.now() + SIGN_IN_LINK_MS));
  desk.clock.advance(SIGN_IN_LINK_MS - 1);
  expect((await owner.people.list()).people).toMatchObject([{}, { state: 'invited', linkEndsAt: endsAt }]);
  desk.clock.advance(1);
  expect((await redeem(secret)).status).toBe(403);
  expect((await owner.people.list()).people).toMatchObject([{}, { state: 'invited', linkEndsAt: null }]);
});

it('attack: a link of an invitation is opened after another one was made, or after the person was removed', async () => {
  const first = await owner.people.invite({ name: 'Ada', role: 'cashier' });
  const second = await owner.people.makeLink({ id: first.id });
  expect((await redeem(first.secret)).status).toBe(403);
  await owner.people.remove({ id: first.id });
  expect((await redeem(second.secret)).status).toBe(403);
  await expect(owner.people.makeLink({ id: first.id })).rejects.toMatchObject({ code: 'NO_SUCH_PERSON' });
  await expect(owner.people.change({ id: first.id, role: 'manager' })).rejects.toMatchObject({ code: 'NO_SUCH_PERSON' });
});

const written = (rows: unknown): string => JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value));

it('a link is stored as a hash only, and no log has its secret', async () => {
  const { secret } = await owner.people.invite({ name: 'Ada', role: 'cashier' });
  const { signedIn } = await open((await owner.people.invite({ name: 'Bob', role: 'cashier' })).secret);
  const stored = written(await desk.test.look('select * from operator_links, operator_sessions, people'));
  const activity = written(await desk.test.look('select body from activities'));
  for (const told of [secret, signedIn.pageSecret, signedIn.cookie.split('=')[1] ?? '']) {
    expect(told.length).toBeGreaterThan(40);
    expect(stored + activity + desk.logged.join('')).not.toContain(told);
  }
});

it('attack: the session of a removed person. It ends in the same write, and so does the stream of its page', async () => {
  const { id, client } = await newPerson('cashier');
  const other = await newPerson('cashier', 'another');
  const stream = await client.node.changes();
  await stream.next();
  await owner.people.remove({ id });
  await expect(stream.next()).rejects.toThrow();
  await expect(client.requests.open()).rejects.toMatchObject({ status: 401 });
  expect(await other.client.requests.open()).toMatchObject({ items: [] });
  expect((await owner.people.list()).people.map(({ name }) => name)).toEqual(['', 'another']);
});

it('attack: a person is removed while an operation is under way. It does not write', async () => {
  const { id, signedIn } = await newPerson('manager');
  const cookie = signedIn.cookie.split('=')[1] ?? '';
  const session = await desk.context.sessions.find({ cookie, page: signedIn.pageSecret }, HERE);
  if (session === undefined) throw new Error('the manager is not signed in');
  const isStillIn = (reader: Parameters<OperatorSessions['isStillIn']>[0]) => desk.context.sessions.isStillIn(reader, session);
  const late = desk.callsAs({ role: 'manager', isStillIn, doer: { kind: 'person', id, name: 'a manager', role: 'manager' } });
  await owner.people.change({ id, role: 'accountant' });
  const account = { name: 'till', publicName: 'till', assetCode: 'USD', assetScale: 2, openingBalance: 5n };
  await expect(late.accounts.create({ requestId: crypto.randomUUID(), ...account })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  expect((await owner.accounts.list({})).items).toEqual([]);
});

it('attack: a role is lowered during a long export. It ends before its next part', async () => {
  // More than one part has.
  for (let n = 0; n < 210; n += 1) await owner.people.change({ id: 'owner', name: `Olga ${n}` });
  const shop = await desk.account('long', 0n);
  const moved = { kind: 'deposit', debit: 'external:USD/2', credit: `customer:${shop.id}`, amount: 1n, at: desk.clock.now() } as const;
  await desk.context.database.write(async (tx) => {
    for (let n = 0; n < 1_010; n += 1) await transfer(tx, moved);
  });
  const { id, signedIn } = await newPerson('accountant');
  const cookie = signedIn.cookie.split('=')[1] ?? '';
  const session = await desk.context.sessions.find({ cookie, page: signedIn.pageSecret }, HERE);
  if (session === undefined) throw new Error('the accountant is not signed in');
  const isStillIn = (reader: Parameters<OperatorSessions['isStillIn']>[0]) => desk.context.sessions.isStillIn(reader, session);
  const accountant = desk.callsAs({ role: 'accountant', isStillIn });
  const parts = await accountant.activity.export({});
  const lines = await accountant.statements.export({ accountId: shop.id, from: '2025-12-31', to: '2026-01-31', format: 'csv' });
  expect([(await parts.next()).done, (await lines.next()).done]).toEqual([false, false]);
  await owner.people.change({ id, role: 'cashier' });
  await expect(parts.next()).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  await expect(lines.next()).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
});

it('attack: a page listens for topics that its role may not read', async () => {
  const { client } = await newPerson('cashier');
  await makeRequests(desk, ['a request']);
  const stream = await client.node.changes();
  await stream.next();
  const happen = async (type: Parameters<typeof appendEvent>[1]['type'], subject: string) =>
    await desk.context.database.write((tx) => appendEvent(tx, { type, subject, at: desk.clock.now() }));
  await happen('outgoing_payment.created', 'secret payment');
  await happen('person.invited', 'secret person');
  await happen('incoming_payment.created', 'a request');
  const { value } = await stream.next();
  expect(value).toMatchObject({ topics: ['requests'], subjects: ['a request'] });
  await stream.return();
});

it('another role signs a person out, and a link signs them in with the new one', async () => {
  const { id, client } = await newPerson('cashier');
  await owner.people.change({ id, name: 'Ada' });
  expect(await client.people.me()).toMatchObject({ person: { name: 'Ada' }, role: 'cashier' });
  await owner.people.change({ id, role: 'manager' });
  await expect(client.people.me()).rejects.toMatchObject({ status: 401 });
  const again = await open((await owner.people.makeLink({ id })).secret);
  expect(await again.client.people.me()).toMatchObject({ person: { id, name: 'Ada' }, role: 'manager' });
});

it('attack: the last owner is removed or lowered, by themselves and by somebody who has not signed in yet', async () => {
  const { client } = await ownerInBrowser();
  const isRefused = async () => {
    await expect(client.people.remove({ id: 'owner' })).rejects.toMatchObject({ code: 'LAST_OWNER' });
    await expect(client.people.change({ id: 'owner', role: 'accountant' })).rejects.toMatchObject({ code: 'LAST_OWNER' });
  };
  await isRefused();
  const { id, secret } = await owner.people.invite({ name: 'Olga', role: 'owner' });
  await isRefused();
  const olga = await open(secret);
  // Two owners remove each other at once: one of them stays.
  const removals = await Promise.allSettled([client.people.remove({ id }), olga.client.people.remove({ id: 'owner' })]);
  expect(removals.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await owner.people.list()).people.filter(({ role }) => role === 'owner')).toHaveLength(1);
});

it('attack: the last two owners give up their role at the same moment, again and again', async () => {
  for (let round = 0; round < 5; round += 1) {
    const owners = (await owner.people.list()).people.filter(({ role }) => role === 'owner');
    expect(owners).toHaveLength(1);
    await newPerson('owner', `Olga ${round}`);
    const both = (await owner.people.list()).people.filter(({ role }) => role === 'owner');
    // Each is lowered once and removed once, all four at once.
    const tries = both.flatMap(({ id }) => [owner.people.change({ id, role: 'accountant' }), owner.people.remove({ id })]);
    const codes = (await Promise.allSettled(tries)).flatMap((one) =>
      one.status === 'rejected' ? [(one.reason as { code: string }).code] : [],
    );
    expect(
      codes.every((code) => code === 'LAST_OWNER' || code === 'NO_SUCH_PERSON'),
      String(codes),
    ).toBe(true);
    expect((await owner.people.list()).people.filter(({ role }) => role === 'owner')).toHaveLength(1);
  }
});

it('attack: a manager, a cashier and an accountant invite, change and remove people, and make links', async () => {
  const victim = await owner.people.invite({ name: 'Vic', role: 'cashier' });
  const before = (await owner.people.list()).people.length;
  for (const role of ['manager', 'cashier', 'accountant'] as const) {
    const { id, client } = await newPerson(role);
    const tries = [
      () => client.people.invite({ name: 'Eve', role }),
      () => client.people.makeLink({ id: victim.id }),
      // Themselves, too.
      () => client.people.change({ id, role: 'owner' }),
      () => client.people.change({ id, name: 'the owner' }),
      () => client.people.remove({ id: 'owner' }),
      () => client.apiKeys.create({ name: 'a way in', role: 'manager' }),
    ];
    for (const attempt of tries) await expect(attempt()).rejects.toMatchObject({ code: 'NOT_ALLOWED', status: 403 });
  }
  const after = (await owner.people.list()).people;
  expect(after).toHaveLength(before + 3);
  expect(after.filter(({ role }) => role === 'owner').map(({ id }) => id)).toEqual(['owner']);
});

it('a caller is told what its role may call, as the contract says', async () => {
  const { client } = await newPerson('accountant');
  const { may } = await client.people.me();
  expect(may).toEqual(expect.arrayContaining(['payments.export', 'people.me', 'accounts.keys.list']));
  for (const closed of ['accounts.deposit', 'people.list', 'approvals.approve', 'restore.start']) expect(may).not.toContain(closed);
  expect((await owner.people.me()).may).toEqual(expect.arrayContaining([...may, 'restore.start']));
});

it('a first owner who has gone does not come back: the owner who stays is the owner at the computer', async () => {
  const olga = await newPerson('owner', 'Olga');
  await olga.client.people.remove({ id: 'owner' });
  expect(await owner.people.me()).toMatchObject({ person: { id: olga.id, name: 'Olga' }, role: 'owner' });
  const { client } = await ownerInBrowser();
  expect(await client.people.me()).toMatchObject({ person: { name: 'Olga' } });
  await expect(owner.people.remove({ id: olga.id })).rejects.toMatchObject({ code: 'LAST_OWNER' });
});

it('an owner may leave when another one is there', async () => {
  const olga = await newPerson('owner', 'Olga');
  await olga.client.people.remove({ id: olga.id });
  await expect(olga.client.people.me()).rejects.toMatchObject({ status: 401 });
});

it('everybody sees and ends their own sessions, and an owner those of all', async () => {
  const ada = await newPerson('cashier', 'Ada');
  const bob = await newPerson('cashier', 'Bob');
  const bobs = (await bob.client.sessions.list()).sessions;
  expect(bobs).toMatchObject([{ person: { name: 'Bob', isYou: true }, isThisOne: true }]);
  expect(await ada.client.sessions.end({ id: bobs[0]?.id ?? '' })).toEqual({ ended: 0 });
  expect((await owner.sessions.list()).sessions.map(({ person }) => person.name).sort()).toEqual(['Ada', 'Bob']);
  const second = await open((await owner.people.makeLink({ id: ada.id })).secret);
  expect(await second.client.sessions.endOthers({})).toEqual({ ended: 1 });
  await expect(ada.client.people.me()).rejects.toMatchObject({ status: 401 });
  expect(await bob.client.people.me()).toMatchObject({ role: 'cashier' });
  expect(await owner.sessions.end({ id: bobs[0]?.id ?? '' })).toEqual({ ended: 1 });
  await expect(bob.client.people.me()).rejects.toMatchObject({ status: 401 });
  const own = (await second.client.sessions.list()).sessions;
  expect(await second.client.sessions.end({ id: own[0]?.id ?? '' })).toEqual({ ended: 1 });
  await expect(second.client.people.me()).rejects.toMatchObject({ status: 401 });
});

it('the activity log says who did it and as what: a person, a key, a script of the owner', async () => {
  const ada = await newPerson('manager', 'Ada');
  const account = { name: 'till', publicName: 'till', assetCode: 'USD', assetScale: 2, openingBalance: 5n };
  const { id } = await ada.client.accounts.create({ requestId: crypto.randomUUID(), ...account });
  const { value } = await owner.apiKeys.create({ name: 'the till', role: 'cashier' });
  const till = createORPCClient<Client>(new RPCLink({ url: `${url}/operator/rpc`, headers: { authorization: `Bearer ${value}` } }));
  await till.requests.create({ requestId: crypto.randomUUID(), accountId: id });
  expect(await till.people.me()).toMatchObject({ person: null, role: 'cashier' });
  expect(await entries()).toEqual([
    ['requests.create', 'key', 'the till', 'cashier'],
    ['apiKeys.create', 'script', '', 'owner'],
    ['accounts.create', 'person', 'Ada', 'manager'],
    ['session.signIn', 'person', 'Ada', 'manager'],
    ['people.invite', 'script', '', 'owner'],
  ]);
  expect((await owner.activity.list({ by: ada.id })).items.map(({ operation }) => operation)).toEqual([
    'accounts.create',
    'session.signIn',
  ]);
  expect((await owner.activity.list({ text: 'the TILL' })).items.map(({ operation }) => operation)).toContain('requests.create');
  await owner.people.remove({ id: ada.id });
  expect((await ada.client.activity.doers().catch(() => undefined))?.items).toBeUndefined();
  expect((await owner.activity.doers()).items).toMatchObject([
    { kind: 'person', id: 'owner' },
    { kind: 'person', name: 'Ada' },
    { kind: 'key', name: 'the till' },
  ]);
  expect(await desk.context.activityCheck.lookAtAll()).toMatchObject({ whole: true });
});

it('another process of the node ends the stream of a person whom this one removes', async () => {
  const { id, signedIn } = await newPerson('cashier');
  const cookie = signedIn.cookie.split('=')[1] ?? '';
  const session = await desk.context.sessions.find({ cookie, page: signedIn.pageSecret }, HERE);
  const stream = await desk.callsAs({ role: 'cashier', session: session?.id }).node.changes();
  await stream.next();
  // These sessions know no listener of the first ones: as in a process of its own, only the rows are shared.
  const { database, clock, log } = desk.context;
  await new People({ database, clock, sessions: new OperatorSessions({ database, clock, log }) }).remove(id);
  const rest = [];
  for await (const change of stream) rest.push(change);
  expect(rest.flatMap(({ topics }) => topics).filter((topic) => topic === 'people')).toEqual([]);
});

it('there are at most a hundred people', async () => {
  for (let n = 1; n < MOST_PEOPLE; n += 1) await owner.people.invite({ name: `p${n}`, role: 'cashier' });
  await expect(owner.people.invite({ name: 'one more', role: 'cashier' })).rejects.toMatchObject({ code: 'TOO_MANY_PEOPLE' });
});

it('a person who was not used for twelve hours is signed out, and stays known', async () => {
  const { client } = await newPerson('cashier');
  desk.clock.advance(12 * HOUR);
  await expect(client.people.me()).rejects.toMatchObject({ status: 401 });
  expect((await owner.people.list()).people).toMatchObject([{}, { state: 'active', sessions: 0 }]);
});
