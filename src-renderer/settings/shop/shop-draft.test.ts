import { expect, it } from 'vitest';
import { EMPTY_PROFILE } from '../../../src-shared/shop/shop-profile.ts';
import { draftOf, profileOf } from './shop-draft.ts';

const rates = [
  { id: 'full', name: 'Full', rate: 19_000 },
  { id: 'low', name: 'Reduced', rate: 7_000 },
];
const profile = { ...EMPTY_PROFILE, name: 'Books & Tea', address: ['High Street 1', 'Town'], taxRates: rates, defaultTaxRate: 'low' };

it('what is not changed stays as it was stored', () => {
  expect(profileOf(draftOf(profile))).toEqual(profile);
});

it('another rate gets another id, and another name does not', () => {
  const draft = draftOf(profile);
  const changed = draft.rates.map((rate) => (rate.key === 'low' ? { ...rate, text: '8,1' } : { ...rate, name: 'Standard' }));
  const read = profileOf({ ...draft, rates: changed });
  expect(read?.taxRates[0]).toEqual({ id: 'full', name: 'Standard', rate: 19_000 });
  expect(read?.taxRates[1]).toMatchObject({ name: 'Reduced', rate: 8_100 });
  expect(read?.taxRates[1]?.id).not.toBe('low');
  expect(read?.defaultTaxRate).toBe(read?.taxRates[1]?.id);
});

it('there is always a default among the rates, and none without rates', () => {
  const draft = draftOf(profile);
  expect(profileOf({ ...draft, rates: draft.rates.slice(0, 1) })?.defaultTaxRate).toBe('full');
  expect(profileOf({ ...draft, rates: [] })?.defaultTaxRate).toBeNull();
});

it.each([
  ['a rate that is no number', { text: 'many' }],
  ['a rate without a name', { name: ' ' }],
])('%s is not stored', (_, change) => {
  const draft = draftOf(profile);
  expect(profileOf({ ...draft, rates: draft.rates.map((rate) => ({ ...rate, ...change })) })).toBeUndefined();
});
