import type { OpenPacket } from '../operator-contract/payments/payments.ts';

/** What the node does about a packet without an answer, or what the operator can do. */
export function openPacketText({ state, askedAgain, peerName }: Pick<OpenPacket, 'state' | 'askedAgain' | 'peerName'>): string {
  if (state === 'unknown')
    return 'Nobody can tell any more whether this money has arrived. Ask the receiver or the peer’s operator, then say here whether it did; until then it stays set aside.';
  return askedAgain
    ? `${peerName} has not answered. It is asked again, with the same packet, until it does; the money cannot be spent twice meanwhile.`
    : `${peerName} has not answered, and cannot be asked again without the risk of paying twice. Once the packet has expired, what the receiver has got is read.`;
}
