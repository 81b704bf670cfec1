import { randomUUID } from 'node:crypto';
import { type AnyContractProcedure, isContractProcedure } from '@orpc/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src-shared/operator-contract/contract.ts';
import { ask } from '../testing/ask.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';
import { mayWhileLocked } from './lock-rules.ts';

const PASSPHRASE = 'seven plain words';
const SETTINGS = { idleMinutes: 1, atStart: true };

interface Operation {
  path: readonly string[];
  procedure: AnyContractProcedure;
}

function operationsOf(part: object, path: readonly string[] = []): Operation[] {
  return Object.entries(part).flatMap(([name, value]) =>
    isContractProcedure(value) ? [{ path: [...path, name], procedure: value }] : operationsOf(value, [...path, name]),
  );
}

const ALL = operationsOf(contract);
const NEEDS_UNLOCKED = ALL.filter(({ path }) => !mayWhileLocked(path));
const nameOf = ({ path }: Operation) => path.join('.');

/** Calls any operation without input. A locked node refuses the call before it looks at the input. */
async function call(client: Client, path: readonly string[]): Promise<unknown> {
  let found: unknown = client;
  for (const name of path) found = Reflect.get(Object(found), name);
  if (typeof found !== 'function') throw new Error(`no operation ${path.join('.')}`);
  return await found();
}

it('a locked console may do only what its lock screen needs', () => {
  expect(ALL.filter(({ path }) => mayWhileLocked(path)).map(nameOf)).toEqual(['lock.state', 'lock.now', 'lock.open', 'node.changes']);
  expect(mayWhileLocked(['node', 'made_up'])).toBe(false);
  expect(mayWhileLocked(['node'])).toBe(false);
  expect(mayWhileLocked(['lock', 'constructor'])).toBe(false);
  console.log(`operations: ${ALL.length}, refused while locked: ${NEEDS_UNLOCKED.length}`);
});

describe.each(Object.entries(TRANSPORTS))('a locked console over %s', (_name, connect) => {
  let desk: Desk;
  let client: Client;
  let disconnect: () => Promise<void>;

  beforeEach(async () => {
    desk = openDesk();
    ({ client, close: disconnect } = await connect(desk));
  });
  afterEach(async () => {
    await disconnect();
    await desk.close();
  });

  const protect = () => client.lock.protect({ passphrase: PASSPHRASE, settings: SETTINGS });

  it(`refuses each of the ${NEEDS_UNLOCKED.length} operations that need an unlocked one`, async () => {
    await protect();
    await client.lock.now();
    for (const operation of NEEDS_UNLOCKED) {
      await expect(call(client, operation.path), nameOf(operation)).rejects.toMatchObject({ code: 'LOCKED', status: 423 });
    }
    expect(await client.lock.state()).toMatchObject({ locked: true, reason: 'operator' });
    await client.lock.open({ passphrase: PASSPHRASE });
    for (const operation of NEEDS_UNLOCKED.filter(({ procedure }) => procedure['~orpc'].inputSchema === undefined)) {
      const answer: unknown = await call(client, operation.path).catch((error: unknown) => error);
      expect(answer, nameOf(operation)).not.toMatchObject({ code: 'LOCKED' });
    }
  });

  it('walk-up attacker: refuses all of them once nobody has used the console for 60 seconds', async () => {
    await protect();
    desk.clock.advance(59_999);
    await client.lock.inUse();
    desk.clock.advance(60_000);
    for (const operation of NEEDS_UNLOCKED) {
      await expect(call(client, operation.path), nameOf(operation)).rejects.toMatchObject({ code: 'LOCKED' });
    }
    expect(await client.lock.state()).toMatchObject({ locked: true, reason: 'idle' });
  });

  it('is not kept open by reading, which the console does without a person', async () => {
    await protect();
    for (let count = 0; count < 3; count += 1) {
      desk.clock.advance(20_000);
      if (count < 2) await client.accounts.list({});
    }
    await expect(client.accounts.list({})).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('says what is wrong with a passphrase, and for how long it checks no other', async () => {
    await expect(client.lock.open({ passphrase: PASSPHRASE })).rejects.toMatchObject({ code: 'NOT_PROTECTED', defined: true });
    await expect(client.lock.now()).rejects.toMatchObject({ code: 'NOT_PROTECTED', defined: true });
    await protect();
    await expect(protect()).rejects.toMatchObject({ code: 'PROTECTED_ALREADY' });
    await client.lock.now();
    const wrong = () => client.lock.open({ passphrase: 'seven plain birds' });
    for (let count = 0; count < 3; count += 1)
      await expect(wrong()).rejects.toMatchObject({ code: 'WRONG_PASSPHRASE', data: { secondsLeft: 0 } });
    await expect(wrong()).rejects.toMatchObject({ code: 'WRONG_PASSPHRASE', data: { secondsLeft: 5 } });
    await expect(wrong()).rejects.toMatchObject({ code: 'TOO_MANY_ATTEMPTS', status: 429, data: { secondsLeft: 5 } });
    expect((await client.lock.state()).secondsLeft).toBe(5);
    expect(desk.logged.join('')).not.toContain(PASSPHRASE);
  });

  it('sends an open stream only that the console was locked and opened', async () => {
    await protect();
    const changes = await client.node.changes();
    await changes.next();
    const told = (async () => {
      const seen: string[][] = [];
      for await (const { topics, subjects, news } of changes) {
        seen.push([...topics]);
        if (!topics.includes('accounts')) expect([subjects.filter((one) => one !== 'lock'), news]).toEqual([[], undefined]);
        if (topics.includes('accounts')) return seen;
      }
      return seen;
    })();
    await client.lock.now();
    await desk.account('hidden', 5n);
    await client.lock.open({ passphrase: PASSPHRASE });
    await desk.account('shown', 5n);
    const seen = await told;
    expect(seen.at(0)).toEqual(['lock']);
    expect(new Set(seen.slice(0, -1).flat())).toEqual(new Set(['lock']));
  });

  it('ends an export that is under way when the console locks', async () => {
    await desk.account('shop', 5n);
    const walletAddress = await desk.account('busy', 0n);
    for (let count = 0; count < 3; count += 1) await desk.incomingPayments.create({ walletAddress, client: null });
    await protect();
    const parts = await client.payments.export({});
    desk.context.lock.lock('sleep');
    const read = async () => {
      for await (const _part of parts);
    };
    await expect(read()).rejects.toMatchObject({ code: 'LOCKED' });
  });

  it('goes on taking money, and keeps what waits until it opens', async () => {
    const shop = await desk.account('shop', 0n);
    await protect();
    await client.lock.now();
    const made = await desk.incomingPayments.create({ walletAddress: shop, client: null });
    expect(made.ok).toBe(true);
    await expect(client.payments.list({})).rejects.toMatchObject({ code: 'LOCKED' });
    await client.lock.open({ passphrase: PASSPHRASE });
    expect((await client.payments.list({})).items).toHaveLength(1);
  });
});

describe('the lock of a node', () => {
  let desk: Desk;
  beforeEach(() => {
    desk = openDesk();
  });
  afterEach(() => desk.close());

  it('has one state for every transport and for the host that locks it', async () => {
    const clients = [];
    for (const connect of Object.values(TRANSPORTS)) clients.push(await connect(desk));
    const [port, http] = clients;
    await port?.client.lock.protect({ passphrase: PASSPHRASE, settings: SETTINGS });
    expect(desk.api.locked).toBe(false);
    const told: boolean[] = [];
    const stop = desk.api.watchLock(() => told.push(desk.api.locked));
    expect(desk.api.lock('sleep')).toBe(true);
    await expect(http?.client.accounts.list({})).rejects.toMatchObject({ code: 'LOCKED' });
    await expect(port?.client.accounts.list({})).rejects.toMatchObject({ code: 'LOCKED' });
    await http?.client.lock.open({ passphrase: PASSPHRASE });
    expect(await port?.client.accounts.list({})).toEqual({ items: [], nextCursor: null });
    expect(told).toEqual([true, false]);
    stop();
    for (const { close } of clients) await close();
  });

  it('lets the host of the node through', async () => {
    await desk.api.calls.lock.protect({ passphrase: PASSPHRASE, settings: SETTINGS });
    desk.api.lock('sleep');
    expect(await desk.api.calls.accounts.list({})).toEqual({ items: [], nextCursor: null });
  });

  it('refuses scripts, and does not count them as use of the console', async () => {
    const { url, close } = await desk.startConsole();
    const script = (method: string, path: string, body?: object) =>
      ask(url, method, `/operator/api${path}`, { authorization: `Bearer ${desk.token()}` }, body);
    const protect = { passphrase: PASSPHRASE, settings: SETTINGS };
    expect((await script('POST', '/lock/passphrase', protect)).status).toBe(200);
    const account = { requestId: randomUUID(), name: 'till', publicName: 'till', assetCode: 'USD', assetScale: 2, openingBalance: '5' };
    desk.clock.advance(50_000);
    expect((await script('POST', '/accounts', account)).status).toBe(201);
    desk.clock.advance(10_000);
    const refused = await script('POST', '/accounts', account);
    expect([refused.status, JSON.parse(refused.body)]).toEqual([423, expect.objectContaining({ code: 'LOCKED' })]);
    expect((await script('GET', '/accounts')).status).toBe(423);
    expect((await script('GET', '/lock')).status).toBe(200);
    expect((await script('POST', '/lock/open', { passphrase: PASSPHRASE })).status).toBe(200);
    expect((await script('GET', '/accounts')).status).toBe(200);
    await close();
  });
});
