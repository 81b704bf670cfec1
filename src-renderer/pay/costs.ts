import { type Amount, sameAsset } from '../../src-shared/amounts.ts';
import type { PaymentQuote } from '../../src-shared/operator-contract/payments/paying.ts';

/**
 * What the nodes on the way keep of a payment within one currency: what leaves less what arrives. It is undefined
 * between two currencies, where the rate tells.
 */
export const costsOf = ({ debitAmount, receiveAmount }: Pick<PaymentQuote, 'debitAmount' | 'receiveAmount'>): Amount | undefined =>
  sameAsset(debitAmount, receiveAmount) ? { ...debitAmount, value: debitAmount.value - receiveAmount.value } : undefined;
