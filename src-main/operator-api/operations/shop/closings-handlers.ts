import { closeDay, currentFigures } from '../../../closings/closings.ts';
import { accountsOfClosing, closingNumbered, listClosings } from '../../../closings/papers.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.closings;

export const closingsHandlers = os.router({
  current: os.current.handler(async ({ context }) => {
    const current = await currentFigures(context);
    if (context.role !== 'cashier') return current;
    // A cashier sees what was sold, and neither balances nor what was paid out, nor what others have earned.
    const accounts = current.figures.accounts.map((account) => ({ ...account, sent: 0n, books: null }));
    const { failureReasons, refundFailures, refundFailureReasons, ...figures } = current.figures;
    return { ...current, figures: { ...figures, accounts, people: [], failures: 0 } };
  }),
  list: os.list.handler(({ context, input: { below } }) => listClosings(context.database.read, below)),
  get: os.get.handler(async ({ context, input: { number }, errors }) => {
    const closing = await closingNumbered(context.database.read, number);
    if (closing === undefined) throw errors.NOT_FOUND();
    return closing;
  }),
  accounts: os.accounts.handler(async ({ context, input: { number, piece }, errors }) => {
    const accounts = await accountsOfClosing(context.database.read, number, piece);
    if (accounts === undefined) throw errors.NOT_FOUND();
    return accounts;
  }),
  close: os.close.handler(async ({ context, input: { requestId, last }, errors }) => {
    const { doer } = context;
    const by = doer === undefined ? null : { name: doer.name, role: doer.role };
    const closed = await closeDay(context, { requestId, last, by });
    if (!closed.ok) throw errors.CLOSED_MEANWHILE();
    const closing = await closingNumbered(context.database.read, closed.value);
    if (closing === undefined) throw new Error('a closing is not there after it was stored');
    return closing;
  }),
});
