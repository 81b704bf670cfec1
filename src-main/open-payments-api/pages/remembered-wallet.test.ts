import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rememberedWallet, walletCookie } from './remembered-wallet.ts';

const cameBack = (setCookie: string) => rememberedWallet({ headers: { cookie: `a=b; ${setCookie.split(';')[0]}` } });

it('what a person typed comes back as it was, and can add nothing to the cookie', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 512, unit: 'grapheme' }), (typed) => {
      fc.pre(typed.length <= 512 && typed.isWellFormed());
      const cookie = walletCookie(typed, 'https://shop.example');
      expect(cookie).toMatch(/^paydesk-wallet=[\w-]+; Path=\/pay; HttpOnly; SameSite=Lax; Max-Age=15552000; Secure$/);
      expect(cameBack(cookie)).toBe(typed);
    }),
  );
});

it('an empty or a far too long text makes the browser forget', () => {
  for (const typed of ['', 'x'.repeat(513)])
    expect(walletCookie(typed, 'http://127.0.0.1')).toContain('=; Path=/pay; HttpOnly; SameSite=Lax; Max-Age=0');
  expect(rememberedWallet({ headers: {} })).toBeUndefined();
  expect(rememberedWallet({ headers: { cookie: `paydesk-wallet=${'A'.repeat(10_000)}` } })).toBeUndefined();
});
