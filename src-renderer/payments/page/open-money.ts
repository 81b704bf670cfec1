import type { PaymentDetail } from '../../../src-shared/operator-contract/payments/payments.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';

const words = messages.payments;

/** Money whose fate is unknown, and what is said about it. */
interface OpenMoney {
  readonly amount: string;
  readonly sentence: string;
  /** What follows when the operator says that it arrived. */
  readonly arrivedWords: string;
}

/**
 * The money that the question is about: the packets without an answer or, when restored books know of none, everything
 * that was not sent.
 */
export function openMoney({
  held,
  openPackets,
  amount,
  progress,
}: Pick<PaymentDetail, 'held' | 'openPackets' | 'amount' | 'progress'>): OpenMoney {
  if (held !== null && openPackets.length > 0) {
    const names = [...new Set(openPackets.map(({ peerName }) => inertText(peerName)))];
    const text = amountText(held);
    const peer = names.length === 1 && names[0] ? names[0] : words.thePeer;
    return { amount: text, sentence: words.unknownWords({ amount: text, peer }), arrivedWords: words.arrivedWords({ amount: text }) };
  }
  const text = amountText({ ...progress, value: (amount ?? progress).value - progress.value });
  return { amount: text, sentence: words.unknownCopyWords({ amount: text }), arrivedWords: words.arrivedCopyWords({ amount: text }) };
}
