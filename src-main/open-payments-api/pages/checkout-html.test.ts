import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkoutWords } from '../../../src-shared/words/pages/checkout-words.ts';
import type { Attempt } from '../../checkout/attempt-rows.ts';
import type { IncomingPayment } from '../../payments/incoming/incoming-payments.ts';
import { openPayments, type Payments } from '../../payments/testing/payments.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { checkoutPage } from './checkout-html.ts';

let test: Payments;
let account: WalletAddress;
let payment: IncomingPayment;
beforeEach(async () => {
  test = openPayments();
  account = await test.account('shop', 0n);
  const made = await test.incomingPayments.create({ walletAddress: account, client: null });
  if (!made.ok) throw new Error(made.error);
  payment = made.value;
});
afterEach(() => test.close());

function pageAfter(reason: Attempt['reason']): string {
  const at = test.clock.now();
  const attempt: Attempt = {
    id: 'one',
    incomingPaymentId: payment.id,
    state: 'failed',
    reason,
    visitorHash: 'hash',
    walletAddress: 'https://wallet.example/ann',
    amount: 100n,
    sealed: null,
    outgoingPayment: null,
    tries: 0,
    dueAt: null,
    createdAt: at,
    lapsesAt: at,
    updatedAt: at,
  };
  return checkoutPage({ payment, status: 'open', account, walletAddress: 'https://pay.example/shop', attempt, tag: 'a' }).body;
}

it('the page tells a visitor to look before paying again when a restored node has lost track of the payment', () => {
  expect(pageAfter('interrupted')).toContain(checkoutWords.problems.interrupted);
  expect(pageAfter('interrupted')).toContain('role="alert"');
});

it('the page tells of no problem when nothing went wrong', () => {
  expect(pageAfter(null)).not.toContain('role="alert"');
});
