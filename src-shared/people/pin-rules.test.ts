import fc from 'fast-check';
import { expect, it } from 'vitest';
import { digitsOf, faultOfPin } from './pin-rules.ts';

const digit = fc.integer({ min: 0, max: 9 });

it.each([
  ['12345', 'form'],
  ['1234567', 'form'],
  ['12345a', 'form'],
  ['١٢٣٤٥٩', 'form'],
  ['000000', 'same'],
  ['999999', 'same'],
  ['123456', 'run'],
  ['987654', 'run'],
  ['890123', 'run'],
  ['123123', 'repeated'],
  ['474747', 'repeated'],
  ['112233', 'common'],
  ['112122', 'common'],
  ['159753', 'common'],
])('%s is refused as a PIN: %s', (pin, fault) => {
  expect(faultOfPin(pin)).toBe(fault);
});

it.each(['402917', '836104', '295038', '113579'])('%s is a PIN', (pin) => {
  expect(faultOfPin(pin)).toBeUndefined();
});

it('no run, upwards or downwards from any digit, and no repetition is a PIN', () => {
  fc.assert(
    fc.property(digit, fc.constantFrom(0, 1, 9), (first, step) => {
      expect(faultOfPin(Array.from({ length: 6 }, (_, place) => (first + place * step) % 10).join(''))).not.toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(digit, digit, digit, (a, b, c) => {
      expect(faultOfPin(`${a}${b}${c}${a}${b}${c}`)).not.toBeUndefined();
    }),
  );
});

it('few of the million PINs are refused', () => {
  let refused = 0;
  for (let n = 0; n < 1_000_000; n += 1) if (faultOfPin(String(n).padStart(6, '0')) !== undefined) refused += 1;
  expect(refused).toBeGreaterThan(1_000);
  expect(refused).toBeLessThan(10_000);
});

it('digits of any keyboard are read alike, and nothing else is', () => {
  for (const typed of ['402917', '٤٠٢٩١٧', '۴۰۲۹۱۷', '४०२९१७', '４０２９１７', ' 402-917 x']) expect(digitsOf(typed)).toBe('402917');
});
