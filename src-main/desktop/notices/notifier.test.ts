import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import type { EventType } from '../../../src-shared/event-types.ts';
import { isQuiet, minuteOfDay } from '../../../src-shared/notices/quiet-hours.ts';
import type { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';
import { router } from '../../operator-api/router.ts';
import { openDesk } from '../../operator-api/testing/desk.ts';
import { ManualClock } from '../../platform/clock.ts';
import { Notifier } from './notifier.ts';

const NOON = new Date(2026, 10, 21, 12, 0).getTime();
const SETTINGS: DesktopSettings = { closeToTray: true, startAtLogin: false, hideAmounts: 'when_locked', quietHours: null };

let close: () => Promise<void> = async () => undefined;
afterEach(() => close());

/** A notifier over a node without payments, and what it showed. */
function open(changes: Partial<DesktopSettings> = {}, { looking = false, screen = 'active' as const } = {}) {
  const desk = openDesk();
  const shown: string[] = [];
  const notifier = new Notifier(
    {
      calls: () => createRouterClient(router, { context: { ...desk.context, role: 'owner' } }),
      clock: new ManualClock(NOON),
      log: pino({ level: 'silent' }),
      settings: () => ({ ...SETTINGS, ...changes }),
      screen: () => screen,
      isLooking: () => looking,
      show: ({ title }) => shown.push(title),
    },
    0,
  );
  close = async () => {
    notifier.stop();
    await desk.close();
  };
  const untilQuiet = () => new Promise((resolve) => setTimeout(resolve, 100));
  return { notifier, shown, untilQuiet };
}

const events = (type: EventType, count: number): StoredEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    position: BigInt(index),
    type,
    subject: '00000000-0000-4000-8000-000000000001',
    walletAddressId: null,
    body: {},
    at: NOON,
  }));

it('the notifier tells of much at once with one notification', async () => {
  const { notifier, shown } = open();
  notifier.hear(events('incoming_payment.completed', 300));
  notifier.hear(events('incoming_payment.completed', 200));
  await expect.poll(() => shown).toEqual(['You were paid 500 times']);
});

it('the notifier stays still in quiet hours, and while the operator looks at the console', async () => {
  for (const [changes, how] of [
    [{ quietHours: { from: '11:00', until: '13:00' } }, {}],
    [{}, { looking: true }],
  ] as const) {
    const { notifier, shown, untilQuiet } = open(changes, how);
    notifier.hear(events('outgoing_payment.failed', 9));
    await untilQuiet();
    expect(shown).toEqual([]);
    await close();
  }
  close = async () => undefined;
  expect(isQuiet({ from: '11:00', until: '13:00' }, minuteOfDay(NOON))).toBe(true);
});

it('the notifier goes on after something that cannot be read any more', async () => {
  const { notifier, shown } = open();
  notifier.hear([...events('incoming_payment.completed', 1), ...events('outgoing_payment.failed', 4)]);
  notifier.hear(events('grant.opened', 1));
  await expect.poll(() => shown).toEqual(['4 payments failed']);
});
