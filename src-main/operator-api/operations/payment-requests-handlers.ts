import { badRequests } from '../../../src-shared/operator-contract/error-messages.ts';
import { findAccount, listAccounts } from '../queries/accounts.ts';
import { failedAttempts, openPaymentRequests, shownRequest } from '../queries/payments/payment-requests.ts';
import { badRequest } from './bad-requests.ts';
import { operations } from './guarded-operations.ts';

const os = operations.requests;

export const requestsHandlers = os.router({
  create: os.create.handler(async ({ context, input, errors }) => {
    const { requestId: id, accountId, amount, description, reference, note, expiresAt } = input;
    const walletAddress = await context.walletAddresses.byId(accountId);
    if (walletAddress === undefined) throw errors.NOT_FOUND();
    const { assetCode, assetScale } = walletAddress;
    const said = { ...(description && { description }), ...(reference && { externalRef: reference }) };
    const created = await context.incomingPayments.create({
      id,
      walletAddress,
      client: null,
      incomingAmount: amount === undefined ? undefined : { value: amount, assetCode, assetScale },
      expiresAt: expiresAt?.getTime(),
      note: note || undefined,
      metadata: Object.keys(said).length === 0 ? undefined : said,
    });
    if (created.ok) return await shownRequest(context, created.value);
    if (created.error === 'invalid_expiry') throw errors.INVALID_EXPIRY();
    throw badRequest(badRequests.idOrAmount);
  }),
  accounts: os.accounts.handler(async ({ context, input: { id, ...wanted } }) => {
    if (id === undefined) return await listAccounts(context, { ...wanted, order: 'oldest' });
    const account = await findAccount(context, id);
    return { items: account === undefined ? [] : [account] };
  }),
  open: os.open.handler(({ context }) => openPaymentRequests(context)),
  get: os.get.handler(async ({ context, input, errors }) => {
    const payment = await context.incomingPayments.find(input.id);
    if (payment === undefined) throw errors.NOT_FOUND();
    return await shownRequest(context, payment);
  }),
  failedAttempts: os.failedAttempts.handler(({ context, input }) => failedAttempts(context.database.read, input.id)),
});
