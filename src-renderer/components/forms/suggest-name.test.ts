import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWalletAddressName } from '../../../src-shared/wallet-address-names.ts';
import { suggestName } from './suggest-name.ts';

test.each([
  ['Café Zoë', 'cafe-zoe'],
  ['  Ada & Söhne GmbH!  ', 'ada-sohne-gmbh'],
  ['Pay', 'pay-1'],
  ['喫茶店', ''],
])('%s becomes %s', (publicName, expected) => {
  expect(suggestName(publicName)).toBe(expected);
});

test('every suggestion is a wallet address name or empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 120 }), (publicName) => {
      const name = suggestName(publicName);
      expect(name === '' || isWalletAddressName(name)).toBe(true);
    }),
  );
});
