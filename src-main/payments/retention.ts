import { and, lt, sql } from 'drizzle-orm';
import { removeEventsOf } from '../journal/retention.ts';
import { DAY_MS, type RetentionRule, removeOnTheWay, removeRows } from '../platform/retention/rule.ts';
import { incomingPayments, isUnpaidOfApp, isUnused, packets, quotes } from './tables.ts';

/** Nobody has paid the request of an app, and nothing refers to it: no price, no payment and no visitor's attempt. */
export const isLeftAlone = and(
  isUnpaidOfApp,
  sql`not exists (select 1 from quotes where quotes.receiver_id = incoming_payments.id)`,
  sql`not exists (select 1 from outgoing_payments where outgoing_payments.receiver_id = incoming_payments.id)`,
  sql`not exists (select 1 from checkouts where checkouts.incoming_payment_id = incoming_payments.id)`,
);

/**
 * A request of an app that nobody paid goes after its end, with its events. It stays while a payment or a visitor's
 * attempt refers to it. The operator's own requests stay: they are part of the operator's books.
 */
export const unpaidRequestRule: RetentionRule = {
  kind: 'unpaid_requests',
  tables: [incomingPayments],
  keptMs: 30 * DAY_MS,
  chosen: true,
  removeSome: (database, before, place) => {
    const walk = {
      table: incomingPayments,
      time: incomingPayments.expiresAt,
      id: incomingPayments.id,
      among: isUnpaidOfApp,
      goes: isLeftAlone,
      clear: removeEventsOf,
    };
    return removeOnTheWay(database, walk, before, place);
  },
};

/** A quote with which nobody paid is of no use after its end. The day lets a late client read why it was refused. */
export const unusedQuoteRule: RetentionRule = {
  kind: 'unused_quotes',
  tables: [quotes],
  keptMs: DAY_MS,
  removeSome: (database, before) => removeRows(database, quotes, and(isUnused, lt(quotes.expiresAt, before))),
};

/**
 * Packets between wallet addresses of this node. A packet counts only for the attempt that sends it, of an outgoing
 * payment that is being sent. So a packet of a payment that has ended moves no money again, with or without its row.
 * What it moved stands in the payment's events and transfers.
 */
export const localPacketRule: RetentionRule = {
  kind: 'local_packets',
  tables: [packets],
  keptMs: DAY_MS,
  removeSome: (database, before, place) => {
    const walk = {
      table: packets,
      time: packets.createdAt,
      id: packets.condition,
      goes: sql`exists (select 1 from outgoing_payments o where o.id = packets.outgoing_payment_id and o.state in ('completed', 'failed'))`,
    };
    return removeOnTheWay(database, walk, before, place);
  },
};
