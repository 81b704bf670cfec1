import { badRequests } from '../../../src-shared/operator-contract/error-messages.ts';
import type { Payee } from '../../../src-shared/operator-contract/payments/paying.ts';
import type { OutgoingPaymentProblem } from '../../payments/outgoing/funding.ts';
import { assetOf, type Payee as FoundPayee, type OperatorQuoteProblem } from '../../payments/outgoing/operator-payments.ts';
import type { OutgoingPayment } from '../../payments/outgoing/outgoing-payment-rows.ts';
import { findQuote } from '../../payments/quotes/quotes.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import type { OperatorContext } from '../context.ts';
import { paymentDetail } from '../queries/payments/payment-detail.ts';
import { doOrWait } from '../second-person/do-or-wait.ts';
import { refuseAlone } from '../second-person/limits.ts';
import type { NewAct } from '../second-person/waiting-acts.ts';
import { badRequest } from './bad-requests.ts';
import { operations } from './guarded-operations.ts';

const os = operations.payments;

/**
 * The errors that the operator sees when there is no payee, no price or no payment. The other problems need a grant.
 */
const PROBLEMS = {
  unknown_receiver: 'PAYEE_UNKNOWN',
  receiver_unreachable: 'PAYEE_UNREACHABLE',
  receiver_refused: 'PAYEE_REFUSED',
  receiver_busy: 'PAYEE_BUSY',
  receiver_closed: 'PAYEE_CLOSED',
} as const;
const PRICES = {
  invalid_amount: 'AMOUNT_REFUSED',
  amount_too_large: 'AMOUNT_REFUSED',
  too_small: 'AMOUNT_TOO_SMALL',
  no_rate: 'NO_RATE',
  rate_stale: 'RATE_STALE',
  no_liquidity: 'NO_LIQUIDITY',
  no_route: 'NO_ROUTE',
  route_unreachable: 'ROUTE_UNREACHABLE',
} as const;
const QUOTES = {
  unknown_quote: 'QUOTE_ENDED',
  quote_expired: 'QUOTE_ENDED',
  quote_used: 'QUOTE_ENDED',
  insufficient_balance: 'INSUFFICIENT_BALANCE',
} as const;

const has = <T extends object>(table: T, code: string): code is string & keyof T => Object.hasOwn(table, code);

export const payingHandlers = {
  payee: os.payee.handler(async ({ context, input, errors }) => {
    const from = await context.walletAddresses.byId(input.accountId);
    if (from === undefined) throw errors.NOT_FOUND();
    const found = await context.operatorPayments.find(input.payee, from);
    if (!found.ok) throw errors[PROBLEMS[found.error]]();
    return shown(found.value);
  }),
  quote: os.quote.handler(async ({ context, input: { accountId, ...wanted }, errors }) => {
    const from = await context.walletAddresses.byId(accountId);
    if (from === undefined) throw errors.NOT_FOUND();
    if (wanted.send !== undefined && wanted.deliver !== undefined) throw badRequest(badRequests.twoAmounts);
    const quoted = await context.operatorPayments.quote({ ...wanted, from });
    if (!quoted.ok) {
      const { code }: OperatorQuoteProblem = quoted.error;
      throw code === 'amount_needed' ? errors.AMOUNT_NEEDED() : errors[pricingCode(code)]();
    }
    const { id, debitAmount, receiveAmount, receiveAssetCode, receiveAssetScale, expiresAt } = quoted.value;
    return {
      id,
      debitAmount: { value: debitAmount, assetCode: from.assetCode, assetScale: from.assetScale },
      receiveAmount: { value: receiveAmount, assetCode: receiveAssetCode, assetScale: receiveAssetScale },
      expiresAt: new Date(expiresAt),
    };
  }),
  pay: os.pay.handler(async ({ context, input, errors }) => {
    const { accountId, payee, ...wanted } = input;
    const from = await context.walletAddresses.byId(accountId);
    if (from === undefined) throw errors.NOT_FOUND();
    const alone = (tx: Tx, { debitAmount }: OutgoingPayment) => refuseAlone(tx, 'money', from, debitAmount);
    const paid = await doOrWait(
      context,
      errors,
      () => context.operatorPayments.pay({ ...wanted, from, inSameWrite: alone }),
      () => waitingPayment(context, from, input),
    );
    if (!paid.ok) {
      const { code } = paid.error;
      if (has(PROBLEMS, code)) throw errors[PROBLEMS[code]]();
      if (has(PRICES, code)) throw errors[PRICES[code]]();
      if (has(QUOTES, code)) throw errors[QUOTES[code]]();
      throw badRequest(badRequests.otherAccount);
    }
    const payment = await paymentDetail(context, paid.value.id);
    if (payment === undefined) throw new Error('a payment is gone right after it was made');
    return payment;
  }),
};

/** The code under which the operator reads why an amount that was given has no price. */
export const pricingCode = (code: Exclude<OperatorQuoteProblem['code'], 'amount_needed'>) =>
  has(PROBLEMS, code) ? PROBLEMS[code] : PRICES[code];

/** The code under which the operator reads why there is no price or no payment. */
export function payingCode(code: (OutgoingPaymentProblem | OperatorQuoteProblem)['code']): string {
  if (has(PROBLEMS, code)) return PROBLEMS[code];
  if (has(PRICES, code)) return PRICES[code];
  if (code === 'amount_needed') return 'AMOUNT_NEEDED';
  return has(QUOTES, code) ? QUOTES[code] : 'BAD_REQUEST';
}

/** A payment that waits: who gets how much, at most for what it costs now. */
async function waitingPayment(
  { database }: OperatorContext,
  from: WalletAddress,
  {
    requestId,
    accountId,
    quoteId,
    payee,
    note,
  }: { requestId: string; accountId: string; quoteId: string; payee?: string | undefined; note?: string | undefined },
): Promise<NewAct> {
  const quote = await findQuote(database.read, quoteId);
  if (quote === undefined) throw new Error('a quote is gone right after it was to be paid');
  const whom = payee ?? quote.receiver;
  const [debit, receive] = [quote.debitAmount.toString(), quote.receiveAmount.toString()];
  const receiveAsset = { assetCode: quote.receiveAssetCode, assetScale: quote.receiveAssetScale };
  return {
    ...{ id: requestId, operation: 'payments.pay', subject: null },
    input: { accountId, payee: whom, debit, receive, ...receiveAsset, note },
    shown: {
      accountName: from.publicName,
      amount: { value: debit, assetCode: from.assetCode, assetScale: from.assetScale },
      receiveAmount: { value: receive, ...receiveAsset },
      whom,
      ...(note && { note }),
    },
  };
}

function shown(payee: FoundPayee): Payee {
  const asset = assetOf(payee);
  if (payee.kind === 'incoming-payment') {
    const { kind, url, name, own, asked } = payee;
    return { kind, url, name, own, asset, asked: asked === undefined ? null : { value: asked, ...asset } };
  }
  const name = payee.walletAddress.publicName ?? null;
  return { kind: 'wallet-address', url: payee.url, name, asset, asked: null, own: payee.kind === 'own-wallet-address' };
}
