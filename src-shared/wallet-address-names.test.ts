import { describe, expect, it } from 'vitest';
import { isWalletAddressName, RESERVED_NAMES } from './wallet-address-names.ts';

describe('isWalletAddressName', () => {
  it.each(['shop', 'a', '7', 'garden-shop-2', '-', 'a'.repeat(64), 'auth-2', 'authx'])('takes %s', (name) =>
    expect(isWalletAddressName(name)).toBe(true),
  );

  it.each(['', 'Shop', 'a'.repeat(65), 'garden shop', 'shop/', 'shop.', 'café', 'shop\n', '..', '%61', 'shop?x'])('refuses %j', (name) =>
    expect(isWalletAddressName(name)).toBe(false),
  );

  it.each([...RESERVED_NAMES])('keeps %s for the node', (name) => expect(isWalletAddressName(name)).toBe(false));

  // The first path segments of public URLs. A wallet address of that name would hide them.
  it.each(['auth', 'incoming-payments', 'outgoing-payments', 'outgoing-payment-grant', 'quotes', 'pay', 'ilp', 'healthz'])(
    'reserves %s',
    (name) => expect(RESERVED_NAMES.has(name)).toBe(true),
  );
});
