import type { Asset } from '../../../src-shared/amounts.ts';
import { amountText, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { billWords } from '../../../src-shared/words/sales/bill-text.ts';
import type { Cart, Charge } from '../cart/cart.ts';
import { QUIET, type Seen } from './seen.ts';

/**
 * The cart as the customer sees it while it is put together. One plain amount is a sum without lines.
 * @param addsTax whether the tax comes on top of the prices.
 */
export function cartSeen(cart: Cart, charge: Charge | undefined, { assetCode, assetScale }: Asset, addsTax: boolean): Seen {
  if (charge === undefined) return QUIET;
  const money = (value: bigint) => amountText({ value, assetCode, assetScale });
  const lines = cart.map(({ key, text, unitPrice, pieces }) => ({
    key,
    text: text === '' ? billWords.item : text,
    times: pieces === 1 ? null : billWords.times({ quantity: plainNumberText(`${pieces}`), price: money(unitPrice) }),
    amount: money(unitPrice * BigInt(pieces)),
  }));
  const isPlain = cart.length === 1 && cart[0]?.text === '' && cart[0].pieces === 1;
  const { taxAmount } = charge.counted;
  const tax = addsTax && taxAmount > 0n ? money(taxAmount) : null;
  return { kind: 'cart', lines: isPlain ? [] : lines, tax, total: money(charge.amount) };
}
