import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { type Key, keyOf, placesOf, pressed, typedParts, typedValue } from './keypad.ts';

const [usd, jpy, kwd] = [{ assetScale: 2 }, { assetScale: 0 }, { assetScale: 3 }];
type Scale = typeof usd;

const type = (keys: readonly Key[], scale: Scale) => keys.reduce((text, key) => pressed(text, key, scale), '');

describe('the keypad', () => {
  it.each<[string, Key[], Scale, string, bigint]>([
    ['4.50 in dollars', ['4', 'point', '5', '0'], usd, '4.50', 450n],
    ['4 in dollars', ['4'], usd, '4', 400n],
    ['.5 in dollars', ['point', '5'], usd, '0.5', 50n],
    ['no third place in dollars', ['1', 'point', '2', '3', '4'], usd, '1.23', 123n],
    ['no place in yen', ['1', 'point', '2'], jpy, '12', 12n],
    ['hundreds in yen', ['1', '2', '00'], jpy, '1200', 1_200n],
    ['three places in dinars', ['1', 'point', '2', '3', '4', '5'], kwd, '1.234', 1_234n],
    ['one point', ['1', 'point', 'point', '2'], usd, '1.2', 120n],
    ['no leading zeros', ['0', '0', '00', '7'], usd, '7', 700n],
    ['a digit that was deleted', ['1', '2', 'back', '3'], usd, '13', 1_300n],
    ['nothing after the point is deleted first', ['point', 'back'], usd, '', 0n],
    ['nothing after clearing', ['1', '2', 'clear'], usd, '', 0n],
  ])('takes %s', (_, keys, scale, text, value) => {
    expect(type(keys, scale)).toBe(text);
    expect(typedValue(text, scale)).toBe(value);
  });

  it('never types more than an account holds, or more places than the currency has', () => {
    const keys = fc.constantFrom<Key>('0', '1', '5', '9', '00', 'point', 'back');
    const scales = fc.integer({ min: 0, max: 18 }).map((assetScale) => ({ assetScale }));
    fc.assert(
      fc.property(fc.array(keys, { maxLength: 60 }), scales, (typed, scale) => {
        const text = type(typed, scale);
        expect(text).toMatch(/^$|^(0|[1-9]\d*)(\.\d*)?$/);
        expect(placesOf(text) ?? 0).toBeLessThanOrEqual(scale.assetScale);
        expect(typedValue(text, scale)).toBeLessThanOrEqual(MAX_MOVED);
      }),
    );
  });

  it('shows in every language what is typed apart from what is not yet, and loses no letter', () => {
    const asset = { assetCode: 'USD', assetScale: 2 };
    for (const tag of ['en', 'de', 'fr', 'ar-EG', 'pt-BR'])
      for (const text of ['', '0.', '7', '7.', '7.2', '7.25', '1234.5']) {
        const shown = amountText({ ...asset, value: typedValue(text, asset) }, tag);
        const parts = typedParts(shown, text, asset);
        expect(parts.join('')).toBe(shown);
        const pale = text === '' ? 3 : 2 - (placesOf(text) ?? 0);
        expect(parts[1].match(/\p{Nd}/gu) ?? [], `${text} in ${tag}`).toHaveLength(pale);
      }
    expect(typedParts('¥12', '12', jpy)).toEqual(['¥12', '', '']);
  });
});

it('a keyboard types digits of every script and each decimal point, and nothing else', () => {
  const digitOf = (text: string) => ({ '٧': '7' })[text] ?? text;
  expect(['3', '٧', '.', ',', '٫', 'Backspace', 'Delete'].map((key) => keyOf(key, digitOf))).toEqual([
    '3',
    '7',
    'point',
    'point',
    'point',
    'back',
    'clear',
  ]);
  for (const key of ['a', 'F1', 'Enter', ' ', '-', '12']) expect(keyOf(key, digitOf)).toBeUndefined();
});
