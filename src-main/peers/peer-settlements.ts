import { assetKey } from '../../src-shared/amounts.ts';
import { appendEvent } from '../journal/events.ts';
import { accountId, type OnceRefusal, transferOnce } from '../ledger/ledger.ts';
import type { Core } from '../platform/core.ts';
import { catchRefusal, ok, Refused, type Result, refuse } from '../platform/result.ts';
import { findLiving, type PeerWithAccount } from './peer-registry.ts';

/** Money that changed hands outside paydesk, between this node's operator and a peer's. */
export interface PeerSettlement {
  /** Made once per intention: the same id again changes nothing. */
  id: string;
  peerId: string;
  /** `received` from the peer, or `paid` to it. */
  direction: 'received' | 'paid';
  amount: bigint;
  note: string;
}

export type SettlementRefusal = 'not_found' | 'past_credit' | 'too_large' | 'id_taken';

/**
 * Records a settlement. What the peer paid is owed to it, or it owes that much less. What was paid to the peer counts
 * the other way round. `past_credit`: the peer would owe more than its credit limit. `too_large`: the books could not
 * hold the amount. `id_taken`: the id is that of another movement of money.
 */
export async function recordSettlement(
  { database, clock }: Pick<Core, 'database' | 'clock'>,
  settlement: PeerSettlement,
): Promise<Result<PeerWithAccount, SettlementRefusal>> {
  const { id, peerId, direction, amount, note } = settlement;
  const at = clock.now();
  return await catchRefusal(
    database.write(async (tx): Promise<Result<PeerWithAccount, SettlementRefusal>> => {
      const peer = await findLiving(tx, peerId);
      if (peer === undefined) return refuse('not_found');
      const [inside, outside] = [accountId('peer', peerId), accountId('external', assetKey(peer.row))];
      const [debit, credit] = direction === 'received' ? [outside, inside] : [inside, outside];
      const moved = await transferOnce(tx, { id, kind: 'settlement', debit, credit, amount, note, at });
      if (!moved.ok) throw new Refused(refusalOf(moved.error, direction));
      if (!moved.value) return ok(peer);
      await appendEvent(tx, {
        type: 'peer.settled',
        subject: peerId,
        body: {
          ...{ name: peer.row.name, direction, amount: amount.toString(), note },
          ...{ assetCode: peer.row.assetCode, assetScale: String(peer.row.assetScale) },
        },
        at,
      });
      return ok({ ...peer, position: direction === 'received' ? peer.position + amount : peer.position - amount });
    }),
  );
}

function refusalOf(refusal: OnceRefusal, direction: PeerSettlement['direction']): SettlementRefusal {
  if (refusal === 'id_taken') return 'id_taken';
  return refusal === 'insufficient' && direction === 'paid' ? 'past_credit' : 'too_large';
}
