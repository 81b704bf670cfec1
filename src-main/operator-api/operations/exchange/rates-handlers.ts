import type { CurrentRate as RateView } from '../../../../src-shared/operator-contract/exchange/rates.ts';
import type { CurrentRate } from '../../../exchange/rates.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.rates;

export const ratesHandlers = os.router({
  list: os.list.handler(async ({ context }) => (await context.rates.list()).map(rateView)),
  set: os.set.handler(async ({ context, input: { asOf, ...rate }, errors }) => {
    const set = await context.rates.set({ ...rate, asOf: asOf.getTime() });
    if (!set.ok) throw errors.SAME_CURRENCY();
    return rateView(set.value);
  }),
  remove: os.remove.handler(async ({ context, input: { base, quote }, errors }) => {
    const removed = await context.rates.remove(base, quote);
    if (!removed.ok) throw errors.NOT_FOUND();
    return rateView(removed.value);
  }),
  funds: os.funds.handler(({ context }) => context.exchangeAccounts.list()),
  fund: os.fund.handler(async ({ context, input: { requestId: id, amount, note, ...asset }, errors }) => {
    const moved = await context.exchangeAccounts.move({ id, kind: 'deposit', asset, amount, note });
    if (!moved.ok && moved.error === 'id_taken') throw errors.REQUEST_ID_TAKEN();
    if (!moved.ok) throw moved.error === 'unknown_asset' ? errors.NOT_FOUND() : errors.TOO_LARGE();
    return moved.value;
  }),
  withdraw: os.withdraw.handler(async ({ context, input: { requestId: id, amount, note, ...asset }, errors }) => {
    const moved = await context.exchangeAccounts.move({ id, kind: 'withdrawal', asset, amount, note });
    if (!moved.ok && moved.error === 'id_taken') throw errors.REQUEST_ID_TAKEN();
    if (!moved.ok) throw moved.error === 'unknown_asset' ? errors.NOT_FOUND() : errors.INSUFFICIENT_BALANCE();
    return moved.value;
  }),
});

/** A rate that was set by hand, as the contract tells it. */
export const rateView = ({ asOf, updatedAt, ...rate }: CurrentRate): RateView => ({
  ...rate,
  asOf: new Date(asOf),
  updatedAt: new Date(updatedAt),
});
