import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../src-shared/event-types.ts';
import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';
import { ACCOUNT_BOUNDS, KEY_PARTS, KEY_TOPICS } from '../../../src-shared/operator-contract/devices/key-rules.ts';
import { type Topic, topicAudience } from '../../../src-shared/operator-contract/node.ts';
import { GROUP_ROLES, groupsFor, isKeyGroup, KEY_GROUPS, type KeyGroup, type KeyRole } from '../../../src-shared/people/key-groups.ts';
import { z } from '../../../src-shared/zod.ts';
import { appendEvent } from '../../journal/events.ts';
import { type Client, type Desk, openDesk } from '../testing/desk.ts';
import { fill, makeRequests, type Things } from '../testing/filled-account.ts';
import { callWith, clientWith, metaOf, PROCEDURES } from '../testing/operations.ts';

const ROLES = ['cashier', 'accountant', 'manager'] as const;
const TOPICS = Object.keys(topicAudience) as Topic[];

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

const keyFor = async (role: KeyRole, groups: KeyGroup[] | null, accounts: string[] | null = null): Promise<string> =>
  (await owner.apiKeys.create({ name: `${role} ${groups?.join(' ') ?? 'all'}`, role, groups, accounts })).value;

/** Does something for all of these, a few at a time. */
async function forAll<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += 12) await Promise.all(all.slice(at, at + 12).map(work));
}

const REFUSED = ['NOT_ALLOWED', 'KEY_MAY_NOT', 'KEY_OF_ACCOUNTS'];

/** What an operation answers to a key, before it looks at the input. It is undefined when it does more. */
function expected(name: OperationName, role: KeyRole, groups: readonly KeyGroup[]): string | undefined {
  const may = PROCEDURES.find(([one]) => one === name)?.[1];
  if (may === undefined || !metaOf(may).may.includes(role)) return 'NOT_ALLOWED';
  const part = KEY_PARTS[name];
  return part === 'always' || (isKeyGroup(part) && groups.includes(part)) ? undefined : 'KEY_MAY_NOT';
}

it('each operation that a role may call is in one group, which that role may have, or says why not', () => {
  for (const [name, procedure] of PROCEDURES) {
    const [part, may] = [KEY_PARTS[name], metaOf(procedure).may];
    const roles = ROLES.filter((role) => may.includes(role));
    if (isKeyGroup(part)) for (const role of roles) expect(GROUP_ROLES[part], `${name} for a ${role}`).toContain(role);
    expect(part === 'owner', name).toBe(roles.length === 0);
  }
  const persons = PROCEDURES.filter(([name]) => KEY_PARTS[name] === 'persons').map(([name]) => name.split('.')[0]);
  expect([...new Set(persons)].sort()).toEqual(['lock', 'sessions', 'waiting', 'ways']);
  for (const role of ROLES) {
    const may = (name: string) => PROCEDURES.some(([one, procedure]) => one === name && metaOf(procedure).may.includes(role));
    for (const group of groupsFor(role, false))
      expect(Object.entries(KEY_PARTS).some(([name, part]) => part === group && may(name))).toBe(true);
  }
});

it('a group is bounded by accounts as a whole or not at all, by a member that the input must have', () => {
  for (const [name, procedure] of PROCEDURES) {
    const [part, bound] = [KEY_PARTS[name], ACCOUNT_BOUNDS[name]];
    const isBounded = part === 'always' || groupsFor('manager', true).some((group) => group === part);
    expect(bound !== undefined, name).toBe(isBounded);
    if (bound === undefined || typeof bound === 'string') continue;
    const schema = procedure['~orpc'].inputSchema;
    if (!(schema instanceof z.ZodObject)) throw new Error(`${name} takes no object`);
    const member = String(Object.values(bound)[0]);
    expect(schema.shape[member], `${name} ${member}`).toBeInstanceOf(z.ZodUUID);
  }
});

it('a key for a group may call what is in it as far as its role goes, and nothing else', async () => {
  const cells: Record<string, { 'may call': number; 'not by its role': number; 'not by its group': number; 'not as expected': number }> =
    {};
  const wrong: string[] = [];
  for (const role of ROLES) {
    for (const group of groupsFor(role, false)) {
      const value = await keyFor(role, [group]);
      const cell = { 'may call': 0, 'not by its role': 0, 'not by its group': 0, 'not as expected': 0 };
      cells[`${role}: ${group}`] = cell;
      // A stream of changes does not end by itself; it has a walk of its own.
      const walked = PROCEDURES.filter(([name]) => name !== 'node.changes');
      await forAll(walked, async ([name]) => {
        const { code = '' } = await callWith(url, value, name);
        const refusal = REFUSED.includes(code) ? code : undefined;
        cell[refusal === undefined ? 'may call' : refusal === 'NOT_ALLOWED' ? 'not by its role' : 'not by its group'] += 1;
        if (refusal === expected(name, role, [group])) return;
        cell['not as expected'] += 1;
        wrong.push(`${role} ${group} ${name} ${code}`);
      });
    }
  }
  console.table(cells);
  expect(wrong).toEqual([]);
  expect(Object.keys(cells)).toHaveLength(ROLES.flatMap((role) => groupsFor(role, false)).length);
}, 120_000);

/** The ids and words of everything in an account. */
const marksOf = ({ account, paid, open, sent, claim }: Things): string[] => [account.id, account.publicName, paid, open, sent, claim];

/** An input that names something, by the member that bounds the operation. */
function inputFor(name: OperationName, { account, paid, claim }: Things): object | undefined {
  const bound = ACCOUNT_BOUNDS[name];
  if (bound === undefined || typeof bound === 'string') return undefined;
  if ('account' in bound) return { [bound.account]: account.id };
  if ('claim' in bound) return { [bound.claim]: claim };
  return 'receipt' in bound ? { kind: 'sale', [bound.receipt]: paid } : { [bound.payment]: paid };
}

it('a key for some accounts reaches what is in them, and for it nothing exists in others', async () => {
  const payee = desk.walletAddresses.urlOf(await desk.account('supplier', 0n));
  const [inside, outside] = [await fill(desk, owner, 'corner', payee), await fill(desk, owner, 'hidden', payee)];
  const cells: Record<string, Record<'inside' | 'outside' | 'rows' | 'whole shop' | 'not as expected', number>> = {};
  const wrong: string[] = [];
  for (const role of ROLES) {
    for (const groups of [null, ...groupsFor(role, true).map((group) => [group])]) {
      const value = await keyFor(role, groups, [inside.account.id]);
      const cell = { inside: 0, outside: 0, rows: 0, 'whole shop': 0, 'not as expected': 0 };
      const caller = `${role}: ${groups?.join() ?? 'all'}`;
      cells[caller] = cell;
      const see = (isRight: boolean, kind: Exclude<keyof typeof cell, 'not as expected'>, what: string) => {
        cell[kind] += 1;
        if (isRight) return;
        cell['not as expected'] += 1;
        wrong.push(`${caller} ${what}`);
      };
      // The walk changes nothing, so that its order does not matter.
      const walked = PROCEDURES.filter(([name]) => name !== 'node.changes' && !CHANGING.has(name));
      await forAll(walked, async ([name]) => {
        if (expected(name, role, groups ?? [...KEY_GROUPS]) !== undefined) return;
        const bound = ACCOUNT_BOUNDS[name];
        if (bound === undefined) {
          const { code } = await callWith(url, value, name);
          see(code === 'KEY_OF_ACCOUNTS', 'whole shop', `${name} ${code}`);
          return;
        }
        if (bound === 'none' || bound === 'rows') {
          const { code, text } = await callWith(url, value, name, {});
          const told = marksOf(outside).filter((mark) => text.includes(mark));
          see(!REFUSED.includes(code ?? '') && told.length === 0, 'rows', `${name} ${code} ${told}`);
          return;
        }
        const [own, other, none] = [inputFor(name, inside), inputFor(name, outside), inputFor(name, NOTHING)];
        const answers = await Promise.all([own, other, none].map((input) => callWith(url, value, name, input)));
        const [first, second, third] = answers;
        see(![...REFUSED, 'NOT_FOUND'].includes(first?.code ?? ''), 'inside', `${name} inside ${first?.code}`);
        see(second?.code === 'NOT_FOUND' && second.text === third?.text, 'outside', `${name} outside ${second?.text} ${third?.text}`);
      });
    }
  }
  console.table(cells);
  expect(wrong).toEqual([]);
  expect(Object.values(cells).every((cell) => cell['not as expected'] === 0)).toBe(true);
}, 120_000);

/** These would change what the others of the walk look at. Their attacks have tests of their own. */
const CHANGING = new Set<OperationName>(['requests.cancel', 'payments.complete', 'claims.cancel', 'requests.changeNotes']);
const NOTHING = { account: { id: randomUUID() }, paid: randomUUID(), claim: randomUUID() } as Things;

/** Listens over HTTP, and gathers what it hears until the event with this subject. */
async function listen(value: string) {
  const stream = await clientWith(url, value).node.changes();
  await stream.next();
  const [topics, subjects, news] = [new Set<Topic>(), new Set<string>(), new Set<string>()];
  const read = async () => {
    for await (const change of stream) {
      for (const topic of change.topics) topics.add(topic);
      for (const subject of change.subjects) subjects.add(subject);
      for (const { paymentId } of change.news ?? []) news.add(paymentId);
      if (change.subjects.includes('the end')) break;
    }
  };
  return { topics, subjects, news, done: read() };
}

const happen = (type: (typeof EVENT_TYPES)[number], subject: string, walletAddressId?: string) =>
  desk.database.write((tx) =>
    appendEvent(tx, { type, subject, body: { received: '5' }, at: desk.clock.now(), ...(walletAddressId && { walletAddressId }) }),
  );

/** A change with many subjects names none of them, so a listener may miss the end once. */
async function endAll(readings: readonly { done: Promise<void> }[]): Promise<void> {
  let isOver = false;
  const all = Promise.all(readings.map(({ done }) => done)).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await happen('settings.changed', 'the end');
    await Promise.race([all, pause(150)]);
  }
}

it('a key for a group hears of its topics as far as its role goes, and of nothing else', async () => {
  const heard: [KeyRole, KeyGroup, Awaited<ReturnType<typeof listen>>][] = [];
  for (const role of ROLES)
    for (const group of groupsFor(role, false)) heard.push([role, group, await listen(await keyFor(role, [group]))]);
  for (const type of EVENT_TYPES) await happen(type, type);
  await endAll(heard.map(([, , reading]) => reading));
  const cells: Record<string, string> = {};
  for (const [role, group, { topics }] of heard) {
    const has = ({ groups }: (typeof KEY_TOPICS)[Topic]) => groups === 'always' || groups.includes(group);
    const wanted = TOPICS.filter((topic) => topicAudience[topic].includes(role) && has(KEY_TOPICS[topic]));
    expect([...topics].sort(), `${role} ${group}`).toEqual(wanted.sort());
    cells[`${role}: ${group}`] = `${topics.size} of ${TOPICS.length} topics`;
  }
  console.table(cells);
}, 60_000);

it('a key for some accounts hears of events that name them, and of what concerns no account', async () => {
  const account = await desk.account('corner', 0n);
  const others = [undefined, randomUUID()];
  await makeRequests(desk, EVENT_TYPES);
  for (const role of ROLES) {
    const value = await keyFor(role, null, [account.id]);
    const deaf = await listen(value);
    for (const other of others) for (const type of EVENT_TYPES) await happen(type, `not ${type}`, other);
    await endAll([deaf]);
    const hasRule = (topic: Topic, rule: 'own' | 'none') => topicAudience[topic].includes(role) && KEY_TOPICS[topic].accounts === rule;
    expect([...deaf.topics].sort(), role).toEqual(TOPICS.filter((topic) => hasRule(topic, 'none')).sort());
    expect(deaf.news).toEqual(new Set());
    const reading = await listen(value);
    for (const type of EVENT_TYPES) await happen(type, type, account.id);
    await endAll([reading]);
    expect([...reading.topics].sort(), role).toEqual(TOPICS.filter((topic) => hasRule(topic, 'own') || hasRule(topic, 'none')).sort());
    expect(reading.news).toContain('incoming_payment.completed');
  }
}, 60_000);
