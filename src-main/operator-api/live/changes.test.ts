import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EventType } from '../../../src-shared/event-types.ts';
import type { Change } from '../../../src-shared/operator-contract/node.ts';
import { appendEvent, EventFeed } from '../../journal/events.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { changes } from './changes.ts';
import { topicsOf } from './topics.ts';

let opened: TestDatabase;
let events: EventFeed;
let leaving: AbortController;

beforeEach(() => {
  opened = openTestDatabase({ rehearse: false });
  events = new EventFeed({ database: opened.database, log: createLogger('silent') });
  leaving = new AbortController();
});
afterEach(async () => {
  await events.close();
  await opened.dispose();
});

const happen = (type: EventType, subject: string) => opened.database.write((tx) => appendEvent(tx, { type, subject, at: 0 }));
const UNLOCKED = { locked: false, watch: () => () => undefined };
const open = (gatherMs = 0) => changes({ database: opened.database, events, lock: UNLOCKED, role: 'owner' }, leaving.signal, gatherMs);

async function next(stream: AsyncGenerator<Change, void, void>): Promise<Change> {
  const { value } = await stream.next();
  if (value === undefined) throw new Error('the stream has ended');
  return value;
}

/** Resolves when every listener has received the event at `position`. */
async function toldOf(position: bigint): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = await events.listen((batch) => {
    if (batch.some((event) => event.position === position)) resolve();
  });
  await promise;
  stop();
}

describe('the stream of changes', () => {
  it('leaves out what happened before', async () => {
    await happen('account.created', 'a');
    const stream = open();
    expect(await next(stream)).toEqual({ position: 1n, topics: [], subjects: [] });
    await happen('grant.opened', 'g');
    expect(await next(stream)).toEqual({ position: 2n, topics: ['approvals', 'apps'], subjects: ['g'] });
    await stream.return();
  });

  it('gathers what happens while its listener is busy', async () => {
    const stream = open();
    await next(stream);
    const told = toldOf(3n);
    await happen('account.created', 'a');
    await happen('incoming_payment.created', 'p');
    await happen('incoming_payment.completed', 'p');
    await told;
    expect(await next(stream)).toMatchObject({
      position: 3n,
      topics: ['accounts', 'activity', 'payments', 'requests', 'peers'],
      subjects: ['a', 'p'],
    });
    await stream.return();
  });

  it('tells whoever hears of requests only, when it is known who paid one and when something of it is given back', () => {
    const types = ['payer_proven', 'refunding', 'refund_failed', 'claim_made', 'claim_waits', 'claim_refunded', 'received', 'completed'];
    for (const type of types) expect(topicsOf(`incoming_payment.${type}` as EventType, 'cashier'), type).toContain('requests');
  });

  it('names the things that changed only while they are few', async () => {
    const stream = open();
    await next(stream);
    const told = toldOf(60n);
    for (let n = 0; n < 60; n++) await happen('incoming_payment.created', `p${n}`);
    await told;
    expect(await next(stream)).toEqual({ position: 60n, topics: ['payments', 'requests', 'activity'], subjects: [] });
    await stream.return();
  });

  it('names what deserves a notification: the first few payments by others and failed payments', async () => {
    const stream = open();
    await next(stream);
    const told = toldOf(9n);
    await happen('incoming_payment.received', 'p0');
    await happen('outgoing_payment.failed', 'f1');
    for (let n = 1; n < 8; n++) await happen('incoming_payment.completed', `p${n}`);
    await told;
    const { news } = await next(stream);
    expect(news).toEqual([{ kind: 'failed', paymentId: 'f1' }, ...[1, 2, 3, 4].map((n) => ({ kind: 'paid', paymentId: `p${n}` }))]);
    await happen('account.created', 'a');
    expect((await next(stream)).news).toBeUndefined();
    await stream.return();
  });

  it('lets time pass between two values, but ends at once', async () => {
    const stream = open(3_600_000);
    await next(stream);
    await happen('account.created', 'a');
    await next(stream);
    await happen('account.created', 'b');
    const second = stream.next();
    leaving.abort();
    expect(await second).toEqual({ value: undefined, done: true });
  });

  it('ends when its listener leaves while nothing happens', async () => {
    const stream = open();
    await next(stream);
    const waiting = stream.next();
    leaving.abort();
    expect(await waiting).toEqual({ value: undefined, done: true });
  });

  it('loses nothing in any order of events, reads and new listeners', async () => {
    const types: EventType[] = ['account.created', 'grant.opened', 'token.rotated', 'incoming_payment.received', 'client_key.added'];
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...types).map((type) => ({ does: 'happen' as const, type })) },
      { weight: 1, arbitrary: fc.constant({ does: 'read' as const }) },
      { weight: 1, arbitrary: fc.constant({ does: 'open' as const }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 30 }), async (steps) => {
        leaving = new AbortController();
        const listeners: { told: Change[]; since: number; reading: Promise<void> }[] = [];
        const happened: EventType[] = [];
        for (const one of steps) {
          if (one.does === 'happen') {
            happened.push(one.type);
            await happen(one.type, String(happened.length));
          } else if (one.does === 'read') await new Promise((resolve) => setImmediate(resolve));
          else {
            const stream = open();
            const told = [await next(stream)];
            const read = async () => {
              for await (const change of stream) told.push(change);
            };
            listeners.push({ told, since: happened.length, reading: read() });
          }
        }
        happened.push('operator.signed_in');
        await happen('operator.signed_in', String(happened.length));
        for (const { told, since, reading } of listeners) {
          await expect.poll(() => told.at(-1)?.topics).toContain('node');
          const topics = new Set(told.flatMap((change) => change.topics));
          const subjects = new Set(told.flatMap((change) => change.subjects));
          for (const [index, type] of happened.entries()) {
            if (index < since) continue;
            expect(subjects).toContain(String(index + 1));
            for (const topic of topicsOf(type, 'owner')) expect(topics).toContain(topic);
          }
          expect(told.map(({ position }) => position)).toEqual([...told.map(({ position }) => position)].sort((a, b) => Number(a - b)));
          leaving.abort();
          await reading;
        }
      }),
      { numRuns: 25 },
    );
  });
});

describe('the topics of an event', () => {
  it('include accounts wherever money moves', () => {
    for (const type of [
      'incoming_payment.received',
      'incoming_payment.completed',
      'outgoing_payment.created',
      'outgoing_payment.failed',
    ] as const) {
      expect(topicsOf(type, 'owner')).toEqual(expect.arrayContaining(['accounts', 'payments']));
    }
  });
  it('include peers when what is on its way to them changes', () => {
    for (const end of ['retrying', 'sent', 'resolved', 'completed', 'failed'] as const) {
      expect(topicsOf(`outgoing_payment.${end}`, 'owner')).toContain('peers');
    }
  });
  it('include apps when a grant’s budget is used or given back', () => {
    expect(topicsOf('outgoing_payment.created', 'owner')).toContain('apps');
    expect(topicsOf('outgoing_payment.failed', 'owner')).toContain('apps');
  });
});
