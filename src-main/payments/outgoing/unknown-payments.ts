import { and, eq, sql } from 'drizzle-orm';
import { isFailure } from '../../../src-shared/payment-failures.ts';
import { appendEvent } from '../../journal/events.ts';
import { sentPackets } from '../../peers/tables.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { outgoingPayments } from '../tables.ts';
import { completeUnseen, fail, isStill } from './endings.ts';
import { findOutgoingPayment, isFinal, type OutgoingPayment } from './outgoing-payment-rows.ts';
import { anyChoice } from './packet-choices.ts';
import { openPackets, postPacket, type SentPacket, voidPacket } from './sent-packets.ts';

/**
 * Notes that nobody can be asked any more what became of these packets. Once no other packet is open, the payment waits
 * for the operator, and its money stays where it is. Part of a write.
 */
export async function markUnknown(tx: Tx, payment: OutgoingPayment, packets: readonly SentPacket[], at: number): Promise<void> {
  for (const { condition } of packets) {
    await tx
      .update(sentPackets)
      .set({ state: 'unknown' })
      .where(and(eq(sentPackets.condition, condition), eq(sentPackets.state, 'held')));
  }
  const open = await openPackets(tx, payment.id);
  if (open.length === 0 || open.some((packet) => packet.state === 'held')) return;
  const [unknown] = await tx.update(outgoingPayments).set({ state: 'unknown', updatedAt: at }).where(isStill(payment)).returning();
  if (unknown === undefined) return;
  await appendEvent(tx, {
    type: 'outgoing_payment.unknown',
    subject: payment.id,
    walletAddressId: payment.walletAddressId,
    body: { held: unknown.held.toString() },
    at,
  });
}

/**
 * What the operator has found out about the money of an unknown payment: all of it arrived, none of it did, or a part,
 * in smallest units of the payer's asset.
 */
type Resolution = 'arrived' | 'not_arrived' | { readonly part: bigint };

type Refusal = 'not_found' | 'not_unknown' | 'not_a_part';

/** Lets the operator end the payments that nobody else can end. */
export class UnknownPayments {
  readonly #parts: Pick<Core, 'database' | 'clock'>;

  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /**
   * Books what the operator says, and ends the payment: completed when everything has arrived, failed otherwise. If it
   * failed, the rest goes back. A part can have arrived when several packets have no answer, and some of them carried
   * that much.
   */
  async resolve(id: string, outcome: Resolution): Promise<Result<void, Refusal>> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx): Promise<Result<void, Refusal>> => {
      const payment = await findOutgoingPayment(tx, id);
      if (payment === undefined) return refuse('not_found');
      if (payment.state !== 'unknown') return refuse('not_unknown');
      const open = await openPackets(tx, id);
      const arrived = arrivedOf(open, outcome);
      if (arrived === undefined) return refuse('not_a_part');
      await note(tx, payment, outcome, at);
      await end(tx, open, arrived, at);
      const resolved = await findOutgoingPayment(tx, id);
      if (resolved === undefined) throw new Error('a payment that has just been resolved is gone');
      // In restored books no packet says what has left. The operator speaks of everything that was left to send.
      if (open.length === 0 && outcome === 'arrived') await completeUnseen(tx, resolved, at);
      else if (!isFinal(resolved)) await fail(tx, resolved, failureOf(resolved), at);
      return ok(undefined);
    });
  }
}

async function end(tx: Tx, open: readonly SentPacket[], arrived: ReadonlySet<SentPacket>, at: number): Promise<void> {
  for (const packet of open) {
    if (arrived.has(packet)) await postPacket(tx, packet.condition, undefined, at);
    else await voidPacket(tx, packet.condition, 'operator', at);
  }
}

/** Notes what the operator says. An attempt that worked on the payment before it became unknown must not go on. */
async function note(tx: Tx, { id, walletAddressId, held }: OutgoingPayment, outcome: Resolution, at: number): Promise<void> {
  const said = typeof outcome === 'string' ? { outcome, amount: held } : { outcome: 'part', amount: outcome.part };
  await appendEvent(tx, {
    type: 'outgoing_payment.resolved',
    subject: id,
    walletAddressId,
    body: { ...said, amount: said.amount.toString() },
    at,
  });
  await tx
    .update(outgoingPayments)
    .set({ attempt: sql`${outgoingPayments.attempt} + 1` })
    .where(eq(outgoingPayments.id, id));
}

const failureOf = ({ failure }: OutgoingPayment) => (failure !== null && isFailure(failure) ? failure : 'unresolved');

/** The packets that arrived. It is undefined when the operator speaks of a part that no part of them carried. */
function arrivedOf(open: readonly SentPacket[], outcome: Resolution): ReadonlySet<SentPacket> | undefined {
  if (outcome === 'arrived') return new Set(open);
  if (outcome === 'not_arrived') return new Set();
  const some = outcome.part > 0n ? anyChoice(open, outcome.part, ({ sourceAmount }) => sourceAmount) : undefined;
  return some === undefined || some.size === open.length ? undefined : some;
}
