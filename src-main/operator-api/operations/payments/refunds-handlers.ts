import { eq } from 'drizzle-orm';
import type { Asset } from '../../../../src-shared/amounts.ts';
import type { RefundsOfPayment } from '../../../../src-shared/operator-contract/payments/refunds.ts';
import type { IncomingPayment } from '../../../payments/incoming/incoming-payments.ts';
import { type Allowance, allowanceOf, listLimits, type OverLimit, setLimit } from '../../../payments/refunds/refund-limits.ts';
import type { RefundProblem } from '../../../payments/refunds/refunds.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { walletAddresses } from '../../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../../context.ts';
import { callerOf } from '../../people/calling-person.ts';
import { readsPayments } from '../../people/narrowed.ts';
import { paymentDetail } from '../../queries/payments/payment-detail.ts';
import { assetOf } from '../../queries/payments/payment-rows.ts';
import { payersPart, refundFactsOf, refundsPart, shownPayer } from '../../queries/payments/refund-facts.ts';
import { type Received, receivedInReach } from '../../queries/payments/requests-in-reach.ts';
import { doOrWait } from '../../second-person/do-or-wait.ts';
import { refuseAlone } from '../../second-person/limits.ts';
import type { NewAct } from '../../second-person/waiting-acts.ts';
import { operations } from '../guarded-operations.ts';
import { pricingCode } from '../paying-handlers.ts';

const os = operations.refunds;

const PROBLEMS = {
  not_found: 'NOT_FOUND',
  payer_unknown: 'PAYER_UNKNOWN',
  too_much: 'REFUND_TOO_MUCH',
  insufficient_balance: 'INSUFFICIENT_BALANCE',
  id_taken: 'REQUEST_ID_TAKEN',
  no_limit_set: 'NO_REFUND_LIMIT',
  not_todays_sale: 'NOT_TODAYS_SALE',
  paid_unknown: 'PAID_UNKNOWN',
  more_than_paid: 'REFUND_MORE_THAN_PAID',
  price_changed: 'REFUND_PRICE_CHANGED',
} as const;
export const OVER = { payment: 'OVER_PAYMENT_LIMIT', day: 'OVER_DAY_LIMIT' } as const;

/** The code under which somebody reads why there is no refund. */
export function refundCode(problem: RefundProblem | OverLimit): string {
  if (typeof problem === 'string') return PROBLEMS[problem];
  if ('unpriced' in problem) return pricingCode(problem.unpriced);
  return 'over' in problem ? OVER[problem.over] : 'REFUND_COSTS_TOO_MUCH';
}

/** A limit and what is left of it, in the form of the contract. */
export const leftOf = (limit: bigint, left: bigint, asset: Asset) => ({
  limit: { value: limit, ...asset },
  left: { value: left, ...asset },
});

export const refundsHandlers = os.router({
  create: os.create.handler(async ({ context, input: { requestId: id, paymentId: incomingPaymentId, ...wanted }, errors }) => {
    if ((await receivedInReach(context, incomingPaymentId)) === undefined) throw errors.NOT_FOUND();
    const by = await callerOf(context);
    const alone = (tx: Tx, payment: IncomingPayment) => refuseRefundAlone(tx, payment, wanted.amount);
    const made = await doOrWait(
      context,
      errors,
      () => context.refunds.create({ ...wanted, id, incomingPaymentId, by, inSameWrite: alone }),
      () => waitingRefund(context, { ...wanted, id, incomingPaymentId }),
    );
    const problem = made.ok ? undefined : made.error;
    if (typeof problem === 'string') throw errors[PROBLEMS[problem]]();
    if (problem !== undefined && 'unpriced' in problem) throw errors[pricingCode(problem.unpriced)]();
    const payment = await paymentDetail(context, incomingPaymentId);
    if (payment === undefined) throw new Error('a payment is gone right after its refund was reserved');
    if (problem === undefined) return payment;
    const asset = assetIn(payment.progress);
    if ('costs' in problem) {
      const { costs, most } = problem;
      throw errors.REFUND_COSTS_TOO_MUCH({ data: { cost: { value: costs, ...asset }, most: { value: most, ...asset } } });
    }
    const data = leftOf(problem.limit, problem.left, asset);
    throw errors[OVER[problem.over]]({ data });
  }),
  price: os.price.handler(async ({ context, input: { paymentId: incomingPaymentId, ...wanted }, errors }) => {
    if ((await receivedInReach(context, incomingPaymentId)) === undefined) throw errors.NOT_FOUND();
    const priced = await context.refunds.price({ ...wanted, incomingPaymentId });
    if (!priced.ok) {
      const { error } = priced;
      throw errors[typeof error === 'string' ? PROBLEMS[error] : pricingCode(error.unpriced)]();
    }
    const { quote, most, asset } = priced.value;
    const { receiveAmount: value, receiveAssetCode: assetCode, receiveAssetScale: assetScale } = quote;
    return {
      cost: { value: quote.debitAmount, ...assetIn(asset) },
      most: { value: most, ...assetIn(asset) },
      receive: { value, assetCode, assetScale },
    };
  }),
  of: os.of.handler(async ({ context, input: { paymentId }, errors }) => {
    const found = await receivedInReach(context, paymentId);
    if (found === undefined) throw errors.NOT_FOUND();
    const asset = assetOf(found.account);
    const facts = await refundFactsOf(context, partOf(found));
    const allowance = await allowanceOf(context.database.readAside, await callerOf(context), found.payment, context.clock.now());
    return { ...facts, refunded: { value: facts.refunded, ...asset }, allowance: shownAllowance(allowance, asset) };
  }),
  payers: os.payers.handler(async ({ context, input: { paymentId, ...wanted }, errors }) => {
    const found = await readInReach(context, paymentId);
    if (found === undefined) throw errors.NOT_FOUND();
    return await payersPart(context, partOf(found), wanted);
  }),
  list: os.list.handler(async ({ context, input: { paymentId, cursor }, errors }) => {
    const found = await readInReach(context, paymentId);
    if (found === undefined) throw errors.NOT_FOUND();
    return await refundsPart(context, partOf(found), cursor);
  }),
});

/** A received payment as its payers and refunds are read. */
const partOf = ({ payment, account }: Received) => ({ ...payment, asset: assetOf(account) });

/** The same for whoever only reads: a key whose groups read no payments hears of payment requests, and of no other. */
async function readInReach(context: OperatorContext, id: string): Promise<Received | undefined> {
  const found = await receivedInReach(context, id);
  return found?.payment.client === null || readsPayments(context) ? found : undefined;
}

/**
 * Refuses a refund that one person alone may not make.
 * @throws NeedsSecond when the refund is beyond what one person does alone.
 */
export async function refuseRefundAlone(
  tx: Tx,
  { walletAddressId }: Pick<IncomingPayment, 'walletAddressId'>,
  amount: bigint,
): Promise<void> {
  const { assetCode, assetScale } = walletAddresses;
  const [asset] = await tx.select({ assetCode, assetScale }).from(walletAddresses).where(eq(walletAddresses.id, walletAddressId));
  if (asset !== undefined) await refuseAlone(tx, 'money', asset, amount);
}

interface WantedRefund {
  id: string;
  incomingPaymentId: string;
  amount: bigint;
  payer?: string | undefined;
  reason?: string | undefined;
  receive?: bigint | undefined;
}

/** A refund that waits. Its payer was named, or is the only one. */
async function waitingRefund(context: OperatorContext, wanted: WantedRefund): Promise<NewAct> {
  const { id, incomingPaymentId, amount, payer, reason, receive } = wanted;
  const payment = await paymentDetail(context, incomingPaymentId);
  if (payment === undefined) throw new Error('a payment is gone right after its refund was asked for');
  const meant = await context.refunds.payer(incomingPaymentId, payer);
  const whom = payer ?? (meant === undefined ? '' : (await shownPayer(context, meant.payer)).walletAddress);
  const value = amount.toString();
  return {
    ...{ id, operation: 'refunds.create', subject: incomingPaymentId },
    input: { incomingPaymentId, amount: value, payer: whom, reason, receive: receive?.toString() },
    shown: {
      ...{ accountName: payment.accountName, amount: { value, ...assetIn(payment.progress) }, whom },
      ...(meant?.paid != null && receive !== undefined && { receiveAmount: { ...meant.paid, value: receive.toString() } }),
      ...(reason && { note: reason }),
    },
  };
}

const assetIn = ({ assetCode, assetScale }: Asset): Asset => ({ assetCode, assetScale });

function shownAllowance(allowance: Allowance, asset: Asset): RefundsOfPayment['allowance'] {
  if (allowance.kind === 'unlimited') return { refusal: null, payment: null, day: null };
  if (allowance.kind === 'none') return { refusal: allowance.why, payment: null, day: null };
  const { limit, leftOfPayment, leftToday } = allowance;
  return { refusal: null, payment: leftOf(limit.perPayment, leftOfPayment, asset), day: leftOf(limit.perDay, leftToday, asset) };
}

const limits = operations.refundLimits;

export const refundLimitsHandlers = limits.router({
  list: limits.list.handler(async ({ context: { database, walletAddresses } }) => ({
    limits: await listLimits(database.read),
    currencies: await walletAddresses.assets(),
  })),
  set: limits.set.handler(async ({ context, input: { amounts, ...key } }) => {
    await setLimit(context, key, amounts);
    return { set: true as const };
  }),
});
