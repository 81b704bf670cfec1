import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { outgoingPayments } from '../tables.ts';
import type { OutgoingPayment } from './outgoing-payment-rows.ts';

// A payment is due when its next attempt is, or when the lease of its present one ends. Whatever passes after that, the
// node slept, was off, or its clock was put forward. That time does not count (decisions.md#D-20).

/** How long a payment may take while the node runs, in milliseconds. */
export const LIFETIME_MS = 10 * 60_000;

const { deadline, dueAt } = outgoingPayments;

/** The time by which a payment must have ended that a worker has claimed, in milliseconds since the Unix epoch. */
export const deadlineOf = (payment: Pick<OutgoingPayment, 'deadline' | 'dueAt'>, now: number): number =>
  payment.deadline + Math.max(0, now - payment.dueAt);

/**
 * The same for the statement that claims a payment, or makes it due again. It also cuts the deadline of a payment that
 * was made by a clock that was ahead.
 * @param latest {@link LIFETIME_MS} after `now`.
 */
export const deadlineAt = (now: Placeholder | number, latest: Placeholder | number): SQL =>
  sql`case when ${dueAt} < ${now} then ${deadline} + (${now} - ${dueAt}) when ${deadline} > ${latest} then ${latest} else ${deadline} end`;
