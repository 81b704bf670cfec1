import { inArray } from 'drizzle-orm';
import type { OpenPacket } from '../../../../src-shared/operator-contract/payments/payments.ts';
import type { OutgoingPayment } from '../../../payments/outgoing/outgoing-payment-rows.ts';
import { openPackets } from '../../../payments/outgoing/sent-packets.ts';
import { peers } from '../../../peers/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';

/** The packets of a payment whose outcome is unknown, with what the node does about each. */
export async function openPacketsOf(read: Reader, payment: OutgoingPayment, account: WalletAddress): Promise<OpenPacket[]> {
  const packets = await openPackets(read, payment.id);
  const { id, name, deduplicates } = peers;
  const known = await read
    .select({ id, name, deduplicates })
    .from(peers)
    .where(inArray(id, [...new Set(packets.map(({ peerId }) => peerId))]));
  return packets.map((packet) => {
    const peer = known.find((candidate) => candidate.id === packet.peerId);
    const peerName = peer?.name ?? '';
    const state = packet.state === 'unknown' ? 'unknown' : 'held';
    return {
      peerId: packet.peerId,
      peerName,
      amount: { value: packet.sourceAmount, assetCode: account.assetCode, assetScale: account.assetScale },
      sentAt: new Date(packet.createdAt),
      expiresAt: new Date(packet.expiresAt),
      state,
      askedAgain: state === 'held' && peer?.deduplicates === true,
    };
  });
}
