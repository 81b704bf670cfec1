import { type Bill, countBill } from '../../../src-shared/bills/bill.ts';
import { badRequests } from '../../../src-shared/operator-contract/error-messages.ts';
import type { NewBill } from '../../../src-shared/operator-contract/payments/bills.ts';
import type { MadeAt } from '../../../src-shared/operator-contract/payments/made-at.ts';
import { billOf } from '../../payments/bills/bills.ts';
import type { PrivateNotes } from '../../payments/incoming/kept-requests.ts';
import { changeNotes } from '../../payments/incoming/private-notes.ts';
import { readShop } from '../../shop/shop.ts';
import type { OperatorContext } from '../context.ts';
import { isOwnAccount } from '../people/narrowed.ts';
import { findAccount, listAccounts } from '../queries/accounts.ts';
import { failedAttempts, openPaymentRequests, salesOfToday, shownRequest } from '../queries/payments/payment-requests.ts';
import { assetOf } from '../queries/payments/payment-rows.ts';
import { requestInReach } from '../queries/payments/requests-in-reach.ts';
import { badRequest } from './bad-requests.ts';
import { operations } from './guarded-operations.ts';

const os = operations.requests;

export const requestsHandlers = os.router({
  create: os.create.handler(async ({ context, input, errors }) => {
    const { requestId: id, accountId, description, reference, note, expiresAt, dueAt, returnUrl, bill, madeAt } = saleOf(context, input);
    const walletAddress = await context.walletAddresses.byId(accountId);
    if (walletAddress === undefined || !maySellInto(context, accountId)) throw errors.NOT_FOUND();
    const { assetCode, assetScale } = walletAddress;
    const amount = bill === undefined ? input.amount : totalOf(bill);
    if (bill !== undefined && amount === undefined) throw errors.INVALID_BILL();
    if (input.amount !== undefined && amount !== input.amount) throw errors.BILL_DIFFERS();
    const created = await context.incomingPayments.create({
      id,
      walletAddress,
      client: null,
      incomingAmount: amount === undefined ? undefined : { value: amount, assetCode, assetScale },
      expiresAt: expiresAt?.getTime() ?? (madeAt === 'till' ? await endOfSale(context) : undefined),
      kept: {
        ...{ madeAt, till: context.till, ...notesOf({ reference, note }) },
        ...{ dueAt: dueAt?.getTime(), returnUrl, bill, productIds: soldIn(bill) },
      },
      metadata: description ? { description } : undefined,
    });
    if (created.ok) return await shownRequest(context, created.value);
    if (created.error === 'invalid_expiry') throw errors.INVALID_EXPIRY();
    throw badRequest(badRequests.idOrAmount);
  }),
  accounts: os.accounts.handler(async ({ context, input: { id, ...wanted } }) => {
    const only = context.till?.accountId ?? id;
    if (only === undefined) return await listAccounts(context, { ...wanted, order: 'oldest' });
    const account = (id === undefined || id === only) && isOwnAccount(context, only) ? await findAccount(context, only) : undefined;
    return { items: account === undefined ? [] : [account] };
  }),
  open: os.open.handler(({ context }) => openPaymentRequests(context)),
  get: os.get.handler(async ({ context, input, errors }) => {
    const payment = await requestInReach(context, input.id);
    if (payment === undefined) throw errors.NOT_FOUND();
    return await shownRequest(context, payment);
  }),
  bill: os.bill.handler(async ({ context, input: { id }, errors }) => {
    const payment = await requestInReach(context, id);
    const account = payment && (await context.walletAddresses.byId(payment.walletAddressId));
    if (account === undefined) throw errors.NOT_FOUND();
    const bill = await billOf(context.database.read, id);
    return { bill: bill === undefined ? null : { ...bill, lines: [...bill.lines], rates: [...bill.rates], ...assetOf(account) } };
  }),
  cancel: os.cancel.handler(async ({ context, input: { id, reason }, errors }) => {
    if ((await requestInReach(context, id)) === undefined) throw errors.NOT_FOUND();
    const ended = await context.incomingPayments.complete(id, null, reason || undefined);
    if (!ended.ok) throw ended.error === 'expired' ? errors.EXPIRED() : errors.NOT_FOUND();
    return await shownRequest(context, ended.value);
  }),
  changeNotes: os.changeNotes.handler(async ({ context, input: { id, ...typed }, errors }) => {
    if ((await requestInReach(context, id)) === undefined) throw errors.NOT_FOUND();
    const changed = await changeNotes(context.database, id, notesOf(typed), context.clock.now());
    if (!changed.ok) throw errors.NOT_FOUND();
    return await shownRequest(context, changed.value);
  }),
  sales: os.sales.handler(({ context }) => salesOfToday(context)),
  failedAttempts: os.failedAttempts.handler(async ({ context, input: { id } }) =>
    (await requestInReach(context, id)) === undefined ? [] : await failedAttempts(context.database.read, id),
  ),
});

/** The device of a till makes sales at the till, which lapse as the shop wants it. Nothing else is its choice. */
function saleOf<T extends { madeAt: MadeAt }>({ till }: OperatorContext, input: T): T {
  const chosen = { expiresAt: undefined, dueAt: undefined, returnUrl: undefined, reference: undefined };
  return till === undefined ? input : { ...input, ...chosen, madeAt: 'till' as const };
}

/** Whether the caller may ask for money into an account: a till may be bound to one. */
const maySellInto = ({ till }: OperatorContext, accountId: string): boolean => till?.accountId == null || till.accountId === accountId;

/** The time at which a sale lapses that begins now, in milliseconds since the Unix epoch. */
const endOfSale = async ({ clock, database }: OperatorContext): Promise<number> =>
  clock.now() + (await readShop(database.read)).tillMinutes * 60_000;

/** What a bill charges, in smallest units. It is undefined when that is nothing, or more than can move. */
function totalOf(bill: Bill): bigint | undefined {
  const total = countBill(bill)?.total ?? 0n;
  return total > 0n ? total : undefined;
}

const soldIn = (bill?: NewBill): string[] => bill?.lines.flatMap(({ productId }) => productId ?? []) ?? [];

const notesOf = ({ reference, note }: { reference?: string | undefined; note?: string | undefined }): PrivateNotes => ({
  reference: reference || null,
  note: note || null,
});
