import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Asset, MAX_MOVED, MAX_STATED, toDecimal } from '../amounts.ts';
import { CURRENCIES } from '../currencies.ts';
import { amountText, plainNumberText } from '../words/amount-text.ts';
import * as typed from './typed-amount.ts';

const { NO_LANGUAGE } = typed;
/** Reads a text without a language, so that it is refused when it means two numbers in any. */
const readTyped = (text: string, asset: Asset) => typed.readTyped(text, asset, NO_LANGUAGE);
const typedAmount = (text: string, asset: Asset) => typed.typedAmount(text, asset, NO_LANGUAGE);
const readTypedNumber = (text: string) => typed.readTypedNumber(text, NO_LANGUAGE);

const EUR = { assetCode: 'EUR', assetScale: 2 };
const uint64 = fc.bigInt({ min: 0n, max: MAX_STATED });
const asset = (assetScale: number, assetCode = 'XTS') => ({ assetCode, assetScale });

const LOCALES = [
  ...['en-US', 'en-IN', 'en-ZA', 'en-CA', 'de-DE', 'de-AT', 'de-CH', 'fr-FR', 'fr-CH', 'it-CH', 'es-ES', 'es-MX', 'pt-BR', 'pt-PT'],
  ...['nl-NL', 'sv-SE', 'nb-NO', 'da-DK', 'fi-FI', 'et-EE', 'pl-PL', 'cs-CZ', 'hu-HU', 'bg-BG', 'ru-RU', 'uk-UA', 'tr-TR', 'el-GR'],
  ...['ar-EG', 'ar-MA', 'fa-IR', 'ur-PK', 'he-IL', 'hi-IN', 'mr-IN', 'bn-BD', 'ta-IN', 'ne-NP', 'my-MM', 'th-TH', 'vi-VN', 'id-ID'],
  ...['ja-JP', 'ko-KR', 'zh-CN', 'sw-KE', 'am-ET', 'ka-GE', 'hy-AM', 'kk-KZ'],
];
const isNumeric = (text: string): text is `${number}` => /^\d+(\.\d+)?$/.test(text);

function written(value: bigint, assetScale: number, language: string, options: Intl.NumberFormatOptions): string {
  const decimal = toDecimal(value, assetScale);
  if (!isNumeric(decimal)) throw new Error(`${decimal} is no number`);
  return new Intl.NumberFormat(language, { maximumFractionDigits: assetScale, ...options }).format(decimal);
}

describe('an amount that a person types', () => {
  test('is read back from the plain text that the console writes, at any size', () => {
    fc.assert(
      fc.property(uint64, fc.integer({ min: 0, max: 18 }), (value, places) => {
        expect(typedAmount(toDecimal(value, places), asset(places))).toBe(value);
      }),
    );
  });

  test.each([
    ['12', 1_200n],
    ['12.', 1_200n],
    ['12.5', 1_250n],
    [' 012.50 ', 1_250n],
    ['12,5', 1_250n],
    ['.5', 50n],
    ['12,-', 1_200n],
    ['12.–', 1_200n],
    ['€12', 1_200n],
    ['€ 12,50', 1_250n],
    ['12,50 €', 1_250n],
    ['12 EUR', 1_200n],
    ['eur12', 1_200n],
    ['1,234.50', 123_450n],
    ['1.234,50', 123_450n],
    ['1 234,50', 123_450n],
    ['1\u202f234,50\u00a0€', 123_450n],
    ["1'234.50", 123_450n],
    ['1’234.50', 123_450n],
    ['1 234', 123_400n],
    ['١٢٬٣٤٥', 1_234_500n],
    ['1,234,567', 123_456_700n],
    ['1.234.567,8', 123_456_780n],
    ['12,34,567.00', 123_456_700n],
    ['١٬٢٣٤٫٥٠', 123_450n],
    ['۱۲٫۵', 1_250n],
    ['１２．５０', 1_250n],
  ])('in the form %j is read at two places', (text, value) => expect(readTyped(text, EUR)).toEqual({ kind: 'value', value }));

  test.each([
    ['$1,234.50', asset(2, 'USD'), 123_450n],
    ['US$12', asset(2, 'USD'), 1_200n],
    ['CA$12', asset(2, 'CAD'), 1_200n],
    ['£9.99', asset(2, 'GBP'), 999n],
    ['12,50 kr.', asset(2, 'DKK'), 1_250n],
    ['kr. 12,50', asset(2, 'DKK'), 1_250n],
    ['kr.50', asset(2, 'DKK'), 50n],
    ['¥1,234', asset(0, 'JPY'), 1_234n],
    ['￥１，２３４', asset(0, 'JPY'), 1_234n],
    ['1.234', asset(0, 'JPY'), 1_234n],
    ['1.234', asset(3, 'KWD'), 1_234n],
    ['0.125', asset(9, 'XRP'), 125_000_000n],
    ['0,125', asset(9, 'XRP'), 125_000_000n],
    ['1,2345', asset(9, 'XRP'), 1_234_500_000n],
    ['12 xrp', asset(9, 'XRP'), 12_000_000_000n],
    ['7', asset(0, 'PTS'), 7n],
  ])('in the form %j is read in its currency', (text, its, value) => expect(readTyped(text, its)).toEqual({ kind: 'value', value }));

  test.each([
    ['1,230', 2, ['1230', '1.23']],
    ['€1.230', 2, ['1230', '1.23']],
    ['1.000', 2, ['1000', '1.00']],
    ['1,234', 3, ['1234', '1.234']],
    ['1,234', 9, ['1234', '1.2340']],
    ['12.500', 9, ['12500', '12.5000']],
    ['1.200', 1, ['1200', '1.2']],
    ['1,234', 2, ['1234']],
    ['1.005', 2, ['1005']],
    ['12.505', 2, ['12505']],
    ['1.234', 1, ['1234']],
  ])(
    'that can mean two numbers (%j at %i places) is refused, and each that its currency can hold is written out',
    (text, places, write) => {
      expect(readTyped(text, asset(places, 'EUR'))).toEqual({ kind: 'ambiguous', write });
      for (const one of write) expect(readTyped(one, asset(places, 'EUR')).kind).toBe('value');
    },
  );

  test.each([
    ...['12.5055', '', '.', ',', '-', '-1', '−1', '(12)', '+1', '1e3', '0x1', '1,5.0', '1,50.0', '1.23.45', '12 50', '1 23', '1,2345,678'],
    ...['01,234.00', '0,123.00', '1,234,56', '1 234 56', '1,234.567,00', '1.234 567,00', '1  234', '12²', '½', '1½', '①', '12%'],
    ...['twelve', '$12', '12 USD', 'EUR', 'EUR 12 EUR', '12 000 000 0', '\u202e05.21', '9'.repeat(31), '1_000', '1·50', 'NaN', 'Infinity'],
  ])('in the form %j is refused instead of rounded or guessed', (text) => expect(readTyped(text, EUR)).toEqual({ kind: 'invalid' }));

  test('is refused when it has more decimal places than its currency', () => {
    expect(readTyped('0.5', asset(0))).toEqual({ kind: 'invalid' });
    expect(readTyped('1,50', asset(1))).toEqual({ kind: 'invalid' });
    expect(readTyped('1,234.567', asset(2))).toEqual({ kind: 'invalid' });
  });

  test('is never another number than the one that any language writes', () => {
    const currency = fc.constantFrom(...CURRENCIES);
    const value = fc.oneof(uint64, fc.bigInt({ min: 0n, max: 9_999_999n }));
    const display = fc.constantFrom(...(['symbol', 'narrowSymbol', 'code'] as const));
    const numberingSystem = fc.constantFrom(undefined, ...Intl.supportedValuesOf('numberingSystem'));
    fc.assert(
      fc.property(
        value,
        currency,
        fc.constantFrom(...LOCALES),
        display,
        numberingSystem,
        (amount, its, language, currencyDisplay, digits) => {
          const text = written(amount, its.assetScale, language, {
            minimumFractionDigits: its.assetScale,
            style: 'currency',
            currency: its.assetCode,
            currencyDisplay,
            ...(digits && { numberingSystem: digits }),
          });
          expect([text, typedAmount(text, its) ?? amount]).toEqual([text, amount]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('is never another number when decimal places that are zero are left out, except with the console’s own point', () => {
    fc.assert(
      fc.property(uint64, fc.integer({ min: 0, max: 18 }), fc.constantFrom(...LOCALES), (amount, places, language) => {
        const text = written(amount, places, language, {});
        fc.pre(places !== 3 || !text.includes('.'));
        expect([text, typedAmount(text, asset(places)) ?? amount]).toEqual([text, amount]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('is read from what every one of these languages writes with two decimal places', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: MAX_MOVED }), fc.constantFrom(...LOCALES), (amount, language) => {
        const text = written(amount, 2, language, { minimumFractionDigits: 2 });
        expect([text, typedAmount(text, EUR)]).toEqual([text, amount]);
      }),
      { numRuns: 1_000 },
    );
  });
});

test('a number without a currency is read in the same forms', () => {
  expect(readTypedNumber('1.234,50')).toEqual({ kind: 'value', value: '1234.50' });
  expect(readTypedNumber('12')).toEqual({ kind: 'value', value: '12' });
  expect(readTypedNumber('1,234')).toEqual({ kind: 'ambiguous', write: ['1234', '1.2340'] });
  expect(readTypedNumber('12 EUR')).toEqual({ kind: 'invalid' });
});

describe('an amount that a person types in their own language', () => {
  const languages = ['en', 'de', 'fr', 'es', 'pt-BR', 'ar'];

  test.each([
    ['1.234,56', 'de', 2, 123_456n],
    ['1.234', 'de', 2, 123_400n],
    ['1.230', 'de', 2, 123_000n],
    ['1,234', 'en', 2, 123_400n],
    ['1,234.56', 'en', 2, 123_456n],
    ['1.234', 'pt-BR', 2, 123_400n],
    ['1 234,56', 'fr', 2, 123_456n],
    ['1\u00a0234,56', 'fr', 2, 123_456n],
    ['1\u202f234', 'fr', 2, 123_400n],
    ['12.5', 'de', 2, 1_250n],
    ['12,5', 'en', 2, 1_250n],
    ['١٢٫٥٠', 'ar', 2, 1_250n],
    ['١٬٢٣٤', 'ar', 2, 123_400n],
    ['1,234', 'ar', 2, 123_400n],
    ['12,50 $US', 'fr', 2, 1_250n],
    ['1,234', 'de', 3, 1_234n],
    ['1.234', 'en', 3, 1_234n],
    ['1.234', 'en', 9, 1_234_000_000n],
    ['1,234', 'de', 9, 1_234_000_000n],
    ['1.234', 'en', 0, 1_234n],
  ])('in the form %j is read in %s at %i places', (text, tag, assetScale, value) => {
    const assetCode = text.includes('$') ? 'USD' : 'EUR';
    expect(typed.readTyped(text, { assetCode, assetScale }, tag)).toEqual({ kind: 'value', value });
  });

  test.each([
    ['1.230', 'en', 2, ['1230', '1.23']],
    ['1.234', 'en', 2, ['1234']],
    ['1,230', 'de', 2, ['1230', '1,23']],
    ['1.234', 'fr', 3, ['1234', '1,234']],
    ['1.234', 'de', 3, ['1234', '1,234']],
    ['1,234', 'en', 9, ['1234', '1.2340']],
    ['1,234', 'de-AT', 2, ['1234']],
    ['١.٢٣٠', 'ar-EG', 2, ['١٢٣٠', '١٫٢٣']],
  ])('is refused where its language leaves two numbers (%j in %s at %i places), and each is written out', (text, tag, places, write) => {
    expect(typed.readTyped(text, asset(places, 'EUR'), tag)).toEqual({ kind: 'ambiguous', write });
    for (const one of write) expect(typed.readTyped(one, asset(places, 'EUR'), tag).kind).toBe('value');
  });

  test('is read back exactly from what the console writes', () => {
    const assets = fc.oneof(
      fc.constantFrom(...CURRENCIES),
      fc.record({ assetCode: fc.constantFrom('PTS', 'USD'), assetScale: fc.integer({ min: 0, max: 18 }) }),
    );
    const value = fc.oneof(uint64, fc.bigInt({ min: 0n, max: 9_999_999n }));
    fc.assert(
      fc.property(value, assets, fc.constantFrom(...languages), (amount, its, tag) => {
        const text = amountText({ ...its, value: amount }, tag);
        expect([text, typed.typedAmount(text, its, tag)]).toEqual([text, amount]);
        const plain = plainNumberText(toDecimal(amount, its.assetScale), tag);
        expect([plain, typed.typedAmount(plain, its, tag)]).toEqual([plain, amount]);
        expect(typed.readTypedNumber(plain, tag)).toEqual({ kind: 'value', value: toDecimal(amount, its.assetScale) });
      }),
      { numRuns: 1_000 },
    );
  });
});
