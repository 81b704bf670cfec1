import { inArray } from 'drizzle-orm';
import type { Asset } from '../../../src-shared/amounts.ts';
import type { PeerRoutes } from '../../ilp/peer-links.ts';
import { accountId, ownerOf } from '../../ledger/ledger.ts';
import { transfersOf } from '../../ledger/payment-transfers.ts';
import { peers } from '../../peers/tables.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { IncomingPayment } from '../incoming/incoming-payments.ts';
import { broughtFromHere } from '../refunds/payers.ts';

/** The peer that leads to an ILP address, by its own ILP address. It is undefined when none does now. */
export const peerTo = (routes: Pick<PeerRoutes, 'find'>, destination: string, prefer: readonly Asset[]): string | undefined =>
  routes.find(destination, prefer)?.ilpAddress;

/**
 * How much of a payment came from a peer, by the ledger, in smallest units of the account. A peer is the node behind an
 * ILP address, in whichever currencies this node has it. When several peers brought something, only what came in the
 * currency of the account is known for each of them; the rest counts for none.
 * @param peerAddress the peer's ILP address
 */
export async function cameFrom(reader: Reader, payment: IncomingPayment, peerAddress: string): Promise<bigint> {
  const brought = (await transfersOf(reader, payment.id)).flatMap(({ debit, credit, amount }) => {
    const peer = ownerOf('peer', debit);
    return peer === undefined ? [] : [{ peer, credit, amount }];
  });
  if (brought.length === 0) return 0n;
  const ids = brought.map(({ peer }) => peer);
  const rows = await reader.select({ id: peers.id, address: peers.ilpAddress }).from(peers).where(inArray(peers.id, ids));
  const addresses = new Map(rows.map(({ id, address }) => [id, address]));
  const isTheirs = ({ peer }: { peer: string }) => addresses.get(peer) === peerAddress;
  if (!brought.some(isTheirs)) return 0n;
  if (brought.every(isTheirs)) return payment.received - (await broughtFromHere(reader, payment.id));
  const account = accountId('customer', payment.walletAddressId);
  return brought.reduce((sum, one) => (isTheirs(one) && one.credit === account ? sum + one.amount : sum), 0n);
}
