import { and, inArray, sql } from 'drizzle-orm';
import type { Finding } from '../ledger/audit/damages.ts';
import { accountId } from '../ledger/ledger.ts';
import { heldForPeers, setAsideAfter } from '../ledger/payment-sums.ts';
import { isNotCompleted, outgoingPayments } from '../payments/tables.ts';
import { isOpenPacket, peers, sentPackets } from '../peers/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { withoutIndex } from '../platform/database/dialect.ts';
import { exactSum } from '../platform/database/exact-sum.ts';
import type { Compared } from './payment-rules.ts';

/**
 * Compares what the wallet addresses after `after` have set aside with what their unfinished payments may still cost.
 * The money of a payment waits in escrow, or is held on the payer's own account. Each write that moves it changes the
 * payment, too. The reader must see one state of the books.
 */
export async function checkSetAside(reader: Reader, after: string): Promise<Compared> {
  const { sums, last } = await setAsideAfter(reader, after);
  const { walletAddressId, state, debitAmount, sent } = outgoingPayments;
  const rows = await reader
    .select({ owner: walletAddressId, sum: exactSum(sql`(${debitAmount} - ${sent})`) })
    .from(outgoingPayments)
    .where(
      and(
        // The index of payments by their states leads to them. That by accounts would lead to all of their payments.
        inArray(withoutIndex(walletAddressId), [...sums.keys()]),
        isNotCompleted,
        sql`${state} in ('funded', 'sending', 'retrying', 'settling', 'unknown')`,
      ),
    )
    .groupBy(walletAddressId);
  const needed = new Map(rows.map(({ owner, sum }) => [owner, sum]));
  const wrong = [...sums].filter(([owner, sum]) => sum !== (needed.get(owner) ?? 0n));
  return { findings: wrong.map(([owner]) => ({ owner, finding: 'held', place: accountId('escrow', owner) })), last };
}

/**
 * Compares what is under way to each peer with its open packets, and with what the ledger holds for it. The reader must
 * see one state of the books.
 */
export async function checkPeers(reader: Reader): Promise<Finding[]> {
  const open = await reader
    .select({ peerId: sentPackets.peerId, sum: exactSum(sentPackets.peerAmount) })
    .from(sentPackets)
    .where(isOpenPacket)
    .groupBy(sentPackets.peerId);
  const sums = new Map(open.map(({ peerId, sum }) => [peerId, sum]));
  const held = await heldForPeers(reader);
  const rows = await reader.select({ id: peers.id, inFlight: peers.inFlight }).from(peers);
  return rows
    .filter(({ id, inFlight }) => inFlight !== (sums.get(id) ?? 0n) || inFlight !== (held.get(id) ?? 0n))
    .map(({ id }) => ({ owner: id, finding: 'in_flight' as const, place: id }));
}
