import { eq } from 'drizzle-orm';
import { takesMoney } from '../../src-shared/incoming-status.ts';
import type { ReceiptContent, ReceiptKind } from '../../src-shared/receipts/receipt-content.ts';
import { plainSums, type ReceiptSums, refundSums } from '../../src-shared/receipts/receipt-rules.ts';
import { billOf } from '../payments/bills/bills.ts';
import { findIncomingPayment, type IncomingPayment, incomingFacts } from '../payments/incoming/incoming-payments.ts';
import { findRefund, refundedSoFar } from '../payments/refunds/refund-rows.ts';
import { leftBy, refundStateOf } from '../payments/refunds/refund-rule.ts';
import { said } from '../payments/search-text.ts';
import { outgoingPayments } from '../payments/tables.ts';
import type { Reader } from '../platform/database/database.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { logoOf, type Shop } from '../shop/shop.ts';
import type { WalletAddress } from '../wallet-addresses/wallet-addresses.ts';

/**
 * Why there is no receipt. Nothing is stored then.
 * - `not_found`: there is no such payment or refund.
 * - `nothing_received`: no money has come.
 * - `still_open`: more money may come, so that nobody can say yet what was paid.
 * - `refund_not_done`: the money of the refund has not left, or may still come back.
 */
export type ReceiptProblem = 'not_found' | 'nothing_received' | 'still_open' | 'refund_not_done';

/** What a receipt is about, without its number and its shop. */
export interface Subject {
  payment: IncomingPayment;
  sums: ReceiptSums;
  paid: bigint;
  /** The time of the payment, in milliseconds since the Unix epoch. */
  paidAt: number;
  reason: string | null;
}

/** What was charged. An app's words are no words of the shop, so the shop does not sign them (decisions.md#D-253). */
async function chargedOf(reader: Reader, payment: IncomingPayment): Promise<ReceiptSums> {
  const { id, client, metadata, incomingAmount, received } = payment;
  const own = client === null;
  const bill = own ? await billOf(reader, id) : undefined;
  return bill ?? plainSums((own && said(metadata).description) || '', incomingAmount ?? received);
}

/** A received payment of which a receipt can be issued at the moment `now`. */
async function saleOf(reader: Reader, id: string, now: number): Promise<Result<Subject, ReceiptProblem>> {
  const payment = await findIncomingPayment(reader, id);
  if (payment === undefined) return refuse('not_found');
  if (payment.received === 0n) return refuse('nothing_received');
  if (takesMoney(incomingFacts(payment), now)) return refuse('still_open');
  const sums = await chargedOf(reader, payment);
  return ok({ payment, sums, paid: payment.received, paidAt: payment.updatedAt, reason: null });
}

/** A refund of which a receipt can be issued: its money has left for good. */
async function refundOf(reader: Reader, id: string): Promise<Result<Subject, ReceiptProblem>> {
  const refund = await findRefund(reader, id);
  const payment = refund && (await findIncomingPayment(reader, refund.incomingPaymentId));
  if (refund === undefined || payment === undefined) return refuse('not_found');
  const [left, state] = [leftBy(refund), refundStateOf(refund)];
  if (left === 0n || (state !== 'done' && state !== 'failed')) return refuse('refund_not_done');
  const [sent] = await reader
    .select({ updatedAt: outgoingPayments.updatedAt })
    .from(outgoingPayments)
    .where(eq(outgoingPayments.id, refund.outgoingPaymentId ?? ''));
  const before = (await refundedSoFar(reader, [payment.id], refund)).get(payment.id) ?? 0n;
  const sums = refundSums(await chargedOf(reader, payment), left, before);
  return ok({ payment, sums, paid: left, paidAt: sent?.updatedAt ?? refund.updatedAt, reason: refund.reason });
}

/** What the receipt of a payment or refund would be about. */
export const subjectOf = (reader: Reader, kind: ReceiptKind, id: string, now: number): Promise<Result<Subject, ReceiptProblem>> =>
  kind === 'sale' ? saleOf(reader, id, now) : refundOf(reader, id);

interface Around {
  shop: Shop;
  account: WalletAddress;
  walletAddress: string;
  number: string;
  refundOf: string | null;
  /** The time at which it was issued, in milliseconds since the Unix epoch. */
  issuedAt: number;
}

/** Everything that a receipt says, in one value that is signed and never changes. */
export async function contentOf(reader: Reader, kind: ReceiptKind, subject: Subject, around: Around): Promise<ReceiptContent> {
  const { shop, account, walletAddress, number, refundOf: of, issuedAt } = around;
  const { name, address, taxNumber, closingLine } = shop.profile;
  const logo = name === '' ? undefined : await logoOf(reader);
  const { pricesIncludeTax, lines, rates, net, taxAmount, tip, total } = subject.sums;
  return {
    ...{ version: 1, kind, number },
    shop:
      name === ''
        ? { name: account.publicName, address: [], taxNumber: '', logo: null, closingLine: '' }
        : { name, address: [...address], taxNumber, logo: logo?.hash ?? null, closingLine },
    account: { name: account.publicName, walletAddress },
    ...{ issuedAt: new Date(issuedAt).toISOString(), paidAt: new Date(subject.paidAt).toISOString() },
    timeZone: shop.days.timeZone,
    ...{ assetCode: account.assetCode, assetScale: account.assetScale, pricesIncludeTax },
    lines: lines.map(({ text, quantity, unitPrice, tax, amount, net: lineNet, taxAmount: lineTax }) => ({
      ...{ text, quantity, unitPrice, tax, amount, net: lineNet, taxAmount: lineTax },
    })),
    rates: rates.map((rate) => ({ ...rate })),
    ...{ net, taxAmount, tip, total, paid: subject.paid, paidBy: 'open_payments', refundOf: of, reason: subject.reason },
  };
}
