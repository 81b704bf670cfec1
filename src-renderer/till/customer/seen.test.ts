import { describe, expect, it } from 'vitest';
import type { PaymentRequest } from '../../../src-shared/operator-contract/payments/payment-requests.ts';
import { payments } from '../../testing/fake-data.ts';
import { type Cart, chargeOf, withAmount, withPieces, withProduct } from '../cart/cart.ts';
import { cartSeen } from './cart-seen.ts';
import { codeSeen, endSeen } from './sale-seen.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const COFFEE = { id: 'coffee', name: 'Coffee', price: 350n, tax: { name: 'VAT', rate: 19_000 } };
const usd = (value: bigint) => ({ ...USD, value });
const added = { pricesIncludeTax: false, rounding: 'line' } as const;
const filled = (cart: Cart | undefined): Cart => cart ?? expect.fail('no room');
const [some = expect.fail('no payment')] = payments;

/** A sale of US$12.50. Everything that only the shop may read has a word of its own. */
const sale = (changes: Partial<PaymentRequest>): PaymentRequest => ({
  ...some,
  amount: usd(1_250n),
  progress: usd(0n),
  description: 'Two books',
  reference: 'SECRET-1',
  note: 'SECRET-2',
  link: 'https://shop.example/pay/1',
  cancelReason: null,
  dueAt: null,
  returnUrl: null,
  expiresAt: new Date('2026-11-27T12:10:00Z'),
  updatedAt: new Date('2026-11-27T12:05:00Z'),
  ...changes,
});

describe('the customer sees of the cart', () => {
  it('what it costs, with the tax that is added', () => {
    const one = filled(withProduct([], COFFEE));
    const cart = filled(withAmount(withPieces(one, one[0]?.key ?? '', 2), 100n, null));
    const seen = cartSeen(cart, chargeOf(cart, added), USD, true);
    expect(seen).toMatchObject({
      kind: 'cart',
      lines: [
        { text: 'Coffee', times: expect.stringContaining('3.50'), amount: '$7.00' },
        { times: null, amount: '$1.00' },
      ],
      tax: '$1.33',
      total: '$9.33',
    });
  });

  it('one figure while one amount is typed, and nothing before', () => {
    const cart = filled(withAmount([], 450n, null));
    expect(cartSeen(cart, chargeOf(cart, added), USD, true)).toEqual({ kind: 'cart', lines: [], tax: null, total: '$4.50' });
    expect(cartSeen([], undefined, USD, true)).toEqual({ kind: 'quiet' });
  });
});

describe('the customer sees of a sale', () => {
  it('its code until it lapses, and what is missing after a part', () => {
    expect(codeSeen(sale({}), false)).toEqual({
      kind: 'code',
      link: 'https://shop.example/pay/1',
      purpose: 'Two books',
      asked: '$12.50',
      part: null,
      ends: new Date('2026-11-27T12:10:00Z'),
    });
    expect(codeSeen(sale({ progress: usd(500n) }), true)).toMatchObject({
      asked: '$7.50',
      part: { missing: '$7.50', arrived: '$5.00', whole: '$12.50' },
    });
  });

  it('for a minute how it ended', () => {
    expect(endSeen(sale({ progress: usd(1_250n) }), 'paid')).toMatchObject({
      amount: '$12.50',
      part: null,
      ends: new Date('2026-11-27T12:06:00Z'),
    });
    expect(endSeen(sale({}), 'expired')).toMatchObject({ amount: '$12.50', part: null, ends: new Date('2026-11-27T12:11:00Z') });
    expect(endSeen(sale({ progress: usd(500n) }), 'partly_paid')).toMatchObject({ part: { arrived: '$5.00', whole: '$12.50' } });
  });

  it('nothing that only the shop may read', () => {
    const all = [codeSeen(sale({}), false), codeSeen(sale({ progress: usd(500n) }), true), endSeen(sale({}), 'cancelled')];
    expect(JSON.stringify(all)).not.toMatch(/SECRET|till\.example/);
  });
});
