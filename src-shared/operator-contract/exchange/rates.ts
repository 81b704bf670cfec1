import { owner, readers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { AmountValue, AssetValue, MovedValue, REQUEST_ID_TAKEN, RequestId } from '../values.ts';

const Currency = AssetValue.shape.assetCode;

/** What one unit of a currency is worth in another. */
export const Rate = z.object({
  base: Currency,
  quote: Currency,
  /** One unit of `base` is worth so many units of `quote`. It is exact decimal text, above zero. */
  rate: z.string().regex(/^(?=.*[1-9])(0|[1-9]\d{0,17})(\.\d{1,18})?$/),
  /** The share that the node keeps, in hundredths of a percent. */
  spreadBps: z.number().int().min(0).max(9999),
  /** The origin of the rate, in the operator's words. */
  source: z.string().trim().min(1).max(200),
  asOf: z.date(),
  /** The node refuses the rate when it is older than this. */
  maxAgeSeconds: z.number().int().min(1).max(31_536_000),
});
export type Rate = z.infer<typeof Rate>;

/**
 * A rate with its condition now. `stale`: the rate is too old, and the node refuses payments between the two
 * currencies.
 */
export const CurrentRate = Rate.extend({ stale: z.boolean(), updatedAt: z.date() });
export type CurrentRate = z.infer<typeof CurrentRate>;

/** Names a pair: one unit of `base` is worth some units of `quote`. */
export const pair = { base: Currency, quote: Currency };
const moving = z.object({ requestId: RequestId, ...AssetValue.shape, amount: MovedValue, note: z.string().trim().max(500) });
const unknownAsset = { NOT_FOUND: { status: 404, message: texts.unknownCurrency } };

export const rates = {
  list: reads(readers, 'The exchange rates, and whether they are too old.')
    .route({ method: 'GET', path: '/rates' })
    .output(z.array(CurrentRate)),
  /** Adds a rate or replaces the existing one. A rate is valid in its own direction only. */
  set: does(owner, 'rates', 'rate.set', 'Adds a rate or replaces the one before. It is valid in its own direction only.')
    .route({ method: 'PUT', path: '/rates/{base}/{quote}' })
    .input(Rate)
    .errors({ SAME_CURRENCY: { status: 400, message: texts.sameCurrency } })
    .output(CurrentRate),
  remove: does(owner, 'rates', 'rate.removed', 'Removes a rate. Payments between the two currencies are refused from then on.')
    .route({ method: 'DELETE', path: '/rates/{base}/{quote}' })
    .input(z.object(pair))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchRate } })
    .output(CurrentRate),
  /** The node's own money for exchanging currencies, one amount for each asset. */
  funds: reads(readers, 'The node’s own money for exchanging currencies, one amount for each asset.')
    .route({ method: 'GET', path: '/exchange-accounts' })
    .output(z.array(AmountValue)),
  fund: does(owner, 'money', 'exchange.funded', 'Records money that was put into the node’s own exchange account.')
    .route({ method: 'POST', path: '/exchange-accounts/deposits' })
    .input(moving)
    .errors({ ...unknownAsset, REQUEST_ID_TAKEN, TOO_LARGE: { status: 400, message: texts.balanceTooLarge } })
    .output(AmountValue),
  withdraw: does(owner, 'money', 'exchange.withdrawn', 'Records money that was taken out of the node’s own exchange account.')
    .route({ method: 'POST', path: '/exchange-accounts/withdrawals' })
    .input(moving)
    .errors({ ...unknownAsset, REQUEST_ID_TAKEN, INSUFFICIENT_BALANCE: { status: 409, message: texts.exchangeAccountTooLow } })
    .output(AmountValue),
};
