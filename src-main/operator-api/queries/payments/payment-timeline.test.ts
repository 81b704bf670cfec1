import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventType } from '../../../../src-shared/event-types.ts';
import { MOST_COUNTED } from '../../../../src-shared/operator-contract/most-counted.ts';
import { events } from '../../../journal/tables.ts';
import { type Desk, openDesk } from '../../testing/desk.ts';
import { packetsIn, timelineOf } from './payment-timeline.ts';

/** How many rows one statement stores. */
const AT_ONCE = 1_000;

let desk: Desk;
let position = 1_000n;
beforeEach(() => {
  desk = openDesk();
});
afterEach(() => desk.close());

/** Lets something happen to the payment `p` that many times. */
async function happen(type: EventType, times = 1): Promise<void> {
  for (let left = times; left > 0; left -= AT_ONCE) {
    const rows = Array.from({ length: Math.min(left, AT_ONCE) }, () => {
      position += 1n;
      return { position, type, subject: 'p', body: { n: String(position) }, at: Number(position) };
    });
    await desk.database.write(async (tx) => void (await tx.insert(events).values(rows)));
  }
}

const told = async (direction: 'in' | 'out' = 'in') =>
  (await timelineOf(desk.database, 'p', direction)).map((entry) => [entry.type, entry.events]);

it('packets have one entry between two other events, before the first of them and after the last', async () => {
  await happen('incoming_payment.received', 3);
  await happen('incoming_payment.noted');
  await happen('incoming_payment.payer_proven');
  await happen('incoming_payment.received', 2);
  await happen('incoming_payment.noted');
  await happen('incoming_payment.received');
  expect(await told()).toEqual([
    ['incoming_payment.received', 3],
    ['incoming_payment.noted', 1],
    ['incoming_payment.payer_proven', 1],
    ['incoming_payment.received', 2],
    ['incoming_payment.noted', 1],
    ['incoming_payment.received', 1],
  ]);
  const [first] = await timelineOf(desk.database, 'p', 'in');
  expect(first).toMatchObject({ body: { n: String(first?.at.getTime()) }, since: new Date((first?.at.getTime() ?? 0) - 2) });
  expect(packetsIn(await timelineOf(desk.database, 'p', 'in'))).toBe(6);
});

it('of very many packets it is only said that there are more than are counted', async () => {
  await happen('outgoing_payment.created');
  await happen('outgoing_payment.sent', MOST_COUNTED);
  expect((await told('out'))[1]).toEqual(['outgoing_payment.sent', MOST_COUNTED]);
  await happen('outgoing_payment.retrying');
  await happen('outgoing_payment.sent', MOST_COUNTED + 100);
  expect(await told('out')).toEqual([
    ['outgoing_payment.created', 1],
    ['outgoing_payment.sent', MOST_COUNTED],
    ['outgoing_payment.retrying', 1],
    ['outgoing_payment.sent', MOST_COUNTED + 1],
  ]);
  expect(packetsIn(await timelineOf(desk.database, 'p', 'out'))).toBe(MOST_COUNTED + 1);
});
