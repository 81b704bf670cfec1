import { setTimeout as pause } from 'node:timers/promises';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/fetch';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src-shared/event-types.ts';
import { newsAudience, type Topic, topicAudience } from '../../../src-shared/operator-contract/node.ts';
import { type Audience, ROLES, type Role } from '../../../src-shared/people/roles.ts';
import { appendEvent } from '../../journal/events.ts';
import { topicsOf } from '../live/topics.ts';
import { ask, pageHeaders } from '../testing/ask.ts';
import { type Client, type Desk, openDesk, TRANSPORTS } from '../testing/desk.ts';
import { makeRequests } from '../testing/filled-account.ts';
import { clientWith, metaOf, PROCEDURES } from '../testing/operations.ts';
import { MOST_API_KEYS, OVERLAP_MS } from './api-keys.ts';

interface Operation {
  path: readonly string[];
  may: Audience;
}
const OPERATIONS: Operation[] = PROCEDURES.map(([name, procedure]) => ({ path: name.split('.'), may: metaOf(procedure).may }));

let desk: Desk;
let url: string;
let owner: Client;
let close: () => Promise<void>;
beforeEach(async () => {
  desk = openDesk();
  ({ url, close } = await desk.startConsole());
  owner = clientWith(url, desk.token());
});
afterEach(async () => {
  await close();
  await desk.close();
});

const keyOf = async (role: Exclude<Role, 'owner'>) => await owner.apiKeys.create({ name: `a ${role}`, role });

const RESTORE_START: Operation = { path: ['restore', 'start'], may: ['owner'] };
const TOPIC_COUNT = Object.keys(topicAudience).length;
const NOT_SIGNED_IN = 'not signed in';

type CodeOf = (operation: Operation) => Promise<string | undefined>;

/** Calls an operation over HTTP without an input: the role is looked at first. @returns the code of its error. */
const overHttp =
  (headers: Record<string, string>): CodeOf =>
  async ({ path }) => {
    const leaving = new AbortController();
    const asked = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body: '{}', signal: leaving.signal };
    const answer = await fetch(`${url}/operator/rpc/${path.join('/')}`, asked);
    if (answer.headers.get('content-type')?.startsWith('application/json') !== true) {
      leaving.abort();
      return undefined;
    }
    if (answer.status === 401) return NOT_SIGNED_IN;
    const { json } = (await answer.json()) as { json: { code?: string } | null };
    return answer.ok ? undefined : json?.code;
  };

/** Calls an operation in the same way over a port. */
const overPort =
  (client: Client): CodeOf =>
  async ({ path }) => {
    let part: unknown = client;
    for (const name of path) part = (part as Record<string, unknown>)[name];
    try {
      const answer = await (part as (input: object) => Promise<unknown>)({});
      if (typeof answer === 'object' && answer !== null && 'return' in answer) await (answer as AsyncGenerator).return(undefined);
      return undefined;
    } catch (error) {
      return error instanceof ORPCError ? error.code : undefined;
    }
  };

/** The headers of a page in which a new person with the role is signed in. */
async function pageOf(role: Role): Promise<Record<string, string>> {
  const { secret } = await owner.people.invite({ name: `a ${role}`, role });
  const answer = await ask(url, 'POST', '/operator/session', pageHeaders(url), { secret });
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  const headers = pageHeaders(url, { cookie, ...(JSON.parse(answer.body) as { pageSecret: string }) });
  return Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** What was tried, as a table: a row for each group of operations or topic, and a column for each caller. */
class Matrix {
  tried = 0;
  readonly #cells = new Map<string, Map<string, [number, number]>>();

  note(row: string, caller: string, isAllowed: boolean): void {
    this.tried += 1;
    const cells = this.#cells.get(row) ?? new Map<string, [number, number]>();
    const [allowed, all] = cells.get(caller) ?? [0, 0];
    this.#cells.set(row, cells.set(caller, [allowed + Number(isAllowed), all + 1]));
  }

  /** How many were allowed: `all`, `–` for none, or such as `3 of 8`. */
  rows(): Record<string, Record<string, string>> {
    const text = ([allowed, all]: [number, number]) => (allowed === 0 ? '–' : allowed === all ? 'all' : `${allowed} of ${all}`);
    const row = (cells: Map<string, [number, number]>) => Object.fromEntries([...cells].map(([caller, counts]) => [caller, text(counts)]));
    return Object.fromEntries([...this.#cells].map(([name, cells]) => [name, row(cells)]));
  }
}

it('each role may call what the contract says of each operation, and nothing else', async () => {
  const walked = OPERATIONS.filter(({ path }) => path.join('.') !== 'restore.start');
  const callers: [string, Role, CodeOf][] = [];
  for (const role of ROLES) callers.push([`${role}, browser`, role, overHttp(await pageOf(role))]);
  // A script of the owner signs all browsers out on its way.
  for (const role of ROLES) {
    const token = role === 'owner' ? desk.token() : (await keyOf(role)).value;
    callers.push([`${role}, script`, role, overHttp({ authorization: `Bearer ${token}` })]);
  }
  const connected = await TRANSPORTS['a port']?.(desk);
  if (connected !== undefined) callers.push(['owner, window', 'owner', overPort(connected.client)]);
  const cells: Record<string, { 'may call': number; refused: number; 'not as expected': number }> = {};
  const wrong: string[] = [];
  const matrix = new Matrix();
  for (const [name, role, codeOf] of callers) {
    const cell = { 'may call': 0, refused: 0, 'not as expected': 0 };
    cells[name] = cell;
    for (const operation of role === 'owner' ? walked : [...walked, RESTORE_START]) {
      const code = await codeOf(operation);
      const isRefused = code === 'NOT_ALLOWED';
      cell[isRefused ? 'refused' : 'may call'] += 1;
      matrix.note(operation.path[0] ?? '', name, !isRefused);
      if (isRefused === !operation.may.includes(role) && code !== NOT_SIGNED_IN) continue;
      cell['not as expected'] += 1;
      wrong.push(`${name} ${operation.path.join('.')}`);
    }
  }
  // It would end every session and the token of the owner, so the owners come last.
  const ofOwner = [overHttp(await pageOf('owner')), ...callers.flatMap(([name, , codeOf]) => (/^owner, [sw]/.test(name) ? [codeOf] : []))];
  for (const codeOf of ofOwner) expect(['NOT_ALLOWED', NOT_SIGNED_IN]).not.toContain(await codeOf(RESTORE_START));
  await connected?.close();
  console.table(matrix.rows());
  console.table(cells);
  console.log(`role × operation: ${matrix.tried} cells tried, ${matrix.tried - wrong.length} as expected`);
  expect(wrong).toEqual([]);
  expect(Object.keys(cells)).toHaveLength(2 * ROLES.length + 1);
  expect(walked.length).toBeGreaterThan(100);
});

it('the owner may do everything, and only the owner may change who else may do something', () => {
  for (const { path, may } of OPERATIONS) {
    expect(may, path.join('.')).toContain('owner');
    if (['apiKeys', 'restore', 'people'].includes(path[0] ?? '') && !['last', 'me'].includes(path[1] ?? ''))
      expect(may, path.join('.')).toEqual(['owner']);
  }
});

it('an accountant changes nothing but the record of an export, and a cashier moves no money out but refunds', () => {
  const acts = (role: Role): string[] =>
    PROCEDURES.flatMap(([name, procedure]) => (metaOf(procedure).act !== null && metaOf(procedure).may.includes(role) ? [name] : []));
  const own = ['lock.now', 'lock.open', 'sessions.end', 'sessions.endOthers'];
  const ways = [
    'addPasskey',
    'removePasskey',
    'setPassword',
    'removePassword',
    'renewRecoveryCodes',
    'setPin',
    'removePin',
    'forgetBrowser',
  ].map((name) => `ways.${name}`);
  expect(acts('accountant').sort()).toEqual(
    [...own, ...ways, 'payments.export', 'activity.export', 'statements.export', 'reports.export'].sort(),
  );
  const counter = [
    'refunds.create',
    'claims.make',
    'claims.cancel',
    'waiting.withdraw',
    'requests.create',
    'requests.cancel',
    'requests.changeNotes',
    'receipts.issue',
    'receipts.print',
    'printing.print',
  ];
  expect(acts('cashier').sort()).toEqual([...own, ...ways, ...counter].sort());
});

it('the stream of changes tells each role of its own topics and news, and of nothing else', async () => {
  // Payments are told of by what they are, so there must be some under these names.
  await makeRequests(
    desk,
    EVENT_TYPES.filter((type) => type.startsWith('incoming_payment.')),
  );
  const listeners: [string, Role, Client][] = [];
  for (const role of ROLES) {
    const token = role === 'owner' ? desk.token() : (await keyOf(role)).value;
    const headers = await pageOf(role);
    listeners.push([`${role}, script`, role, clientWith(url, token)]);
    listeners.push([`${role}, browser`, role, createORPCClient<Client>(new RPCLink({ url: `${url}/operator/rpc`, headers }))]);
  }
  const connected = await TRANSPORTS['a port']?.(desk);
  if (connected !== undefined) listeners.push(['owner, window', 'owner', connected.client]);
  const heard = new Map<string, { role: Role; topics: Set<Topic>; subjects: Set<string>; news: Set<string> }>();
  const readings: Promise<void>[] = [];
  for (const [name, role, client] of listeners) {
    const told = { role, topics: new Set<Topic>(), subjects: new Set<string>(), news: new Set<string>() };
    heard.set(name, told);
    const stream = await client.node.changes();
    await stream.next();
    const read = async () => {
      for await (const change of stream) {
        for (const topic of change.topics) told.topics.add(topic);
        for (const subject of change.subjects) told.subjects.add(subject);
        for (const { kind } of change.news ?? []) told.news.add(kind);
        if (change.subjects.includes('the end')) break;
      }
    };
    readings.push(read());
  }
  const happen = async (type: (typeof EVENT_TYPES)[number], subject: string = type) =>
    await desk.context.database.write((tx) => appendEvent(tx, { type, subject, body: { received: '5' }, at: desk.clock.now() }));
  for (const type of EVENT_TYPES) await happen(type);
  let isOver = false;
  const all = Promise.all(readings).then(() => {
    isOver = true;
  });
  // A change with many subjects names none of them, so a listener may miss the end once.
  while (!isOver) {
    await happen('settings.changed', 'the end');
    await Promise.race([all, pause(150)]);
  }
  await connected?.close();
  const audiences = Object.entries(topicAudience) as [Topic, Audience][];
  const matrix = new Matrix();
  const wrong: string[] = [];
  for (const [topic, audience] of audiences)
    for (const [name, { role, topics }] of heard) {
      matrix.note(topic, name, topics.has(topic));
      if (topics.has(topic) !== audience.includes(role)) wrong.push(`${name} ${topic}`);
    }
  console.table(matrix.rows());
  console.log(`role × topic: ${matrix.tried} cells tried, ${matrix.tried - wrong.length} as expected`);
  expect(wrong).toEqual([]);
  expect(matrix.tried).toBe(TOPIC_COUNT * heard.size);
  expect(heard.size).toBe(2 * ROLES.length + 1);
  for (const [name, { role, subjects, news }] of heard) {
    for (const type of EVENT_TYPES) if (topicsOf(type, role).length === 0) expect(subjects, `${name} ${type}`).not.toContain(type);
    for (const kind of news) expect(newsAudience[kind as keyof typeof newsAudience]).toContain(role);
  }
  for (const name of ['cashier, script', 'cashier, browser']) {
    expect(heard.get(name)?.subjects).toContain('incoming_payment.created');
    expect(heard.get(name)?.subjects).not.toContain('outgoing_payment.created');
    expect(heard.get(name)?.news).toEqual(new Set(['paid']));
  }
  expect(topicsOf('incoming_payment.created', undefined)).toEqual([]);
});

it('a key does not become the owner: it gets no console link, no session and no key', async () => {
  const { value } = await keyOf('manager');
  const headers = { authorization: `Bearer ${value}` };
  expect((await fetch(`${url}/operator/links`, { method: 'POST', headers })).status).toBe(403);
  expect((await fetch(`${url}/operator/session`, { method: 'DELETE', headers })).status).toBe(404);
  const manager = clientWith(url, value);
  await expect(manager.apiKeys.create({ name: 'another', role: 'manager' })).rejects.toMatchObject({ code: 'NOT_ALLOWED', status: 403 });
  await expect(owner.apiKeys.create({ name: 'mighty', role: 'owner' as 'manager' })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

it('a key that is revoked is refused at its next call, and its stream ends before it tells anything more', async () => {
  const { key, value } = await keyOf('accountant');
  const accountant = clientWith(url, value);
  const stream = await accountant.node.changes();
  await stream.next();
  await owner.apiKeys.revoke({ id: key.id });
  await expect(stream.next()).rejects.toThrow();
  await expect(accountant.payments.list({})).rejects.toMatchObject({ status: 401 });
  await expect(owner.apiKeys.revoke({ id: key.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('a key that is revoked while an operation is under way does not write', async () => {
  const { key, value } = await keyOf('manager');
  const found = await desk.context.apiKeys.find(value);
  await owner.apiKeys.revoke({ id: key.id });
  // The call was let in before the key was revoked.
  const late = desk.callsAs({ role: 'manager', isStillIn: found?.isStillIn });
  const account = { name: 'till', publicName: 'till', assetCode: 'USD', assetScale: 2, openingBalance: 5n };
  await expect(late.accounts.create({ requestId: crypto.randomUUID(), ...account })).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
  expect((await owner.accounts.list({})).items).toEqual([]);
});

it('a rotated key works with both values for a day, and then with the new one', async () => {
  const { key, value } = await keyOf('cashier');
  const rotated = await owner.apiKeys.rotate({ id: key.id });
  expect(rotated.key.formerEndsAt?.getTime()).toBe(desk.clock.now() + OVERLAP_MS);
  const works = async (one: string) => (await desk.context.apiKeys.find(one)) !== undefined;
  expect([await works(value), await works(rotated.value)]).toEqual([true, true]);
  const third = await owner.apiKeys.rotate({ id: key.id });
  expect([await works(value), await works(rotated.value), await works(third.value)]).toEqual([false, true, true]);
  desk.clock.advance(OVERLAP_MS);
  expect([await works(rotated.value), await works(third.value)]).toEqual([false, true]);
});

it('a key ends at its time, tells when it was last used, and is stored as a hash only', async () => {
  const inAnHour = new Date(desk.clock.now() + 3_600_000);
  const { value } = await owner.apiKeys.create({ name: 'books', role: 'accountant', expiresAt: inAnHour });
  expect((await owner.apiKeys.list()).keys).toMatchObject([{ name: 'books', lastUsedAt: null, expiresAt: inAnHour }]);
  await clientWith(url, value).payments.list({});
  expect((await owner.apiKeys.list()).keys).toMatchObject([{ lastUsedAt: new Date(desk.clock.now()) }]);
  desk.clock.advance(3_600_000);
  await expect(clientWith(url, value).payments.list({})).rejects.toMatchObject({ status: 401 });
  await expect(owner.apiKeys.create({ name: 'late', role: 'cashier', expiresAt: inAnHour })).rejects.toMatchObject({ code: 'END_PAST' });
  expect(desk.logged.join('')).not.toContain(value);
});

it('the last use is stored at most once a minute, and put right at once after a clock that was ahead', async () => {
  const { value } = await keyOf('accountant');
  const [{ apiKeys }, stats] = [desk.context, desk.test.database.stats];
  const used = async () => {
    await apiKeys.find(value);
    return (await apiKeys.list())[0]?.lastUsedAt;
  };
  desk.clock.jump(7_200_000);
  await used();
  desk.clock.jump(-7_200_000);
  expect(await used()).toBe(desk.clock.now());
  const before = stats.jobs;
  for (let n = 0; n < 5; n += 1) await used();
  expect(stats.jobs).toBe(before);
});

it('there are at most a hundred keys', async () => {
  for (let n = 0; n < MOST_API_KEYS; n += 1) await keyOf('cashier');
  await expect(keyOf('cashier')).rejects.toMatchObject({ code: 'TOO_MANY_KEYS' });
});

it('the desktop window and the host act as the owner', async () => {
  const connected = await TRANSPORTS['a port']?.(desk);
  expect((await connected?.client.apiKeys.list())?.keys).toEqual([]);
  await connected?.close();
  expect(await desk.api.calls.sessions.list()).toEqual({ sessions: [] });
  await expect(desk.callsAs({}).node.info()).rejects.toMatchObject({ code: 'NOT_ALLOWED' });
});
