import type { TimelineEntry } from '../../../src-shared/operator-contract/payments/payments.ts';

const RETRYING = 'outgoing_payment.retrying';
const SENDING = 'outgoing_payment.sending';

/** Joins tries in a row that sent nothing into one entry, because a payment may try for days. */
export function foldTries(timeline: readonly TimelineEntry[]): TimelineEntry[] {
  const told: TimelineEntry[] = [];
  for (const entry of timeline) {
    const last = told.at(-1);
    if (last?.type !== RETRYING || (entry.type !== RETRYING && entry.type !== SENDING)) told.push(entry);
    else told[told.length - 1] = { ...last, at: entry.at, events: last.events + (entry.type === RETRYING ? 1 : 0) };
  }
  return told;
}
