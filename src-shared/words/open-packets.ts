import type { OpenPacket } from '../operator-contract/payments/payments.ts';
import { area } from './language/language.ts';

const text = area('openPackets');

/** What the node does about a packet without an answer, or what the operator can do. */
export function openPacketText({ state, askedAgain, peerName }: Pick<OpenPacket, 'state' | 'askedAgain' | 'peerName'>): string {
  if (state === 'unknown') return text.unknown;
  return text[askedAgain ? 'askedAgain' : 'waits']({ peer: peerName });
}
