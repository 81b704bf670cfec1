import { describe, expect, it } from 'vitest';
import { decimalOf, readFraction } from '../fraction.ts';
import { ecbFile } from '../testing/sources.ts';
import { readDecimal } from './decimal.ts';
import { readEcbFile } from './ecb-file.ts';
import { parseExactJson, parseJsonPath, valueAt } from './json-path.ts';
import { type JsonPlace, readJsonSource } from './json-source.ts';

const good = ecbFile('2026-11-24', { USD: '1.0832', JPY: '163.41' });

describe('the daily file of the European Central Bank', () => {
  it('is read with its day and every rate, digit by digit', () => {
    expect(readEcbFile(good)).toEqual({
      ok: true,
      value: { base: 'EUR', rates: { USD: '1.0832', JPY: '163.41' }, asOf: Date.UTC(2026, 10, 24, 14) },
    });
  });

  it.each([
    ['a page of another kind', '<html>down for maintenance</html>', 'not_readable'],
    ['half of the file', good.slice(0, good.indexOf('<Cube')), 'no_date'],
    ['entities', good.replace('<Cube>', '<!DOCTYPE a [<!ENTITY b "c">]><Cube>'), 'not_readable'],
    ['two days', `${good}${good}`, 'no_date'],
    ['a day that is none', good.replace('2026-11-24', '2026-13-45'), 'no_date'],
    ['no rates', ecbFile('2026-11-24', {}), 'no_rate'],
    ['a rate below zero', good.replace('1.0832', '-1.0832'), 'not_readable'],
    ['a rate of zero', good.replace('1.0832', '0.000'), 'not_readable'],
    ['a rate with a comma', good.replace('1.0832', '1,0832'), 'not_readable'],
    ['a currency twice', good.replace('JPY', 'USD'), 'not_readable'],
    ['a rate of the euro', good.replace('JPY', 'EUR'), 'not_readable'],
  ])('is refused as a whole with %s', (_what, text, problem) => {
    expect(readEcbFile(text)).toEqual({ ok: false, error: problem });
  });
});

describe('a JSON document', () => {
  const place: JsonPlace = { base: 'USD', quote: 'EUR', path: 'rates.EUR', datePath: null };
  const read = (document: string, more: Partial<JsonPlace> = {}) => readJsonSource(document, { ...place, ...more });

  it('gives the number at a path, with all its digits', () => {
    expect(read('{"rates":{"EUR":0.923456789012345678}}')).toMatchObject({
      ok: true,
      value: { base: 'USD', rates: { EUR: '0.923456789012345678' } },
    });
    expect(read('{"rates":{"EUR":" 0.92 "}}')).toMatchObject({ ok: true, value: { rates: { EUR: '0.92' }, asOf: undefined } });
    expect(read('[{"a.b":[1,9.5e-6]}]', { path: '[0]["a.b"][1]' })).toMatchObject({ ok: true, value: { rates: { EUR: '0.0000095' } } });
  });

  it.each([
    ['a day', '"2026-11-24"', Date.UTC(2026, 10, 24, 12)],
    ['a moment', '"2026-11-24T10:00:00+01:00"', Date.UTC(2026, 10, 24, 9)],
    ['seconds', '1795514400', 1_795_514_400_000],
    ['milliseconds', '1795514400123', 1_795_514_400_123],
  ])('says from when its rate is by %s', (_form, text, asOf) => {
    expect(read(`{"rates":{"EUR":0.9},"at":${text}}`, { datePath: 'at' })).toMatchObject({ ok: true, value: { asOf } });
  });

  it.each([
    ['no JSON', '<html>', 'not_readable'],
    ['nothing at the place', '{"rates":{}}', 'no_rate'],
    ['null', '{"rates":{"EUR":null}}', 'no_rate'],
    ['a word', '{"rates":{"EUR":"soon"}}', 'no_rate'],
    ['zero', '{"rates":{"EUR":0.0}}', 'no_rate'],
    ['a number below zero', '{"rates":{"EUR":-0.9}}', 'no_rate'],
    ['a number beyond all bounds', '{"rates":{"EUR":1e90}}', 'no_rate'],
    ['an object', '{"rates":{"EUR":{"EUR":1}}}', 'no_rate'],
  ])('is refused with %s', (_what, text, problem) => {
    expect(read(text)).toEqual({ ok: false, error: problem });
  });

  it('is refused when it should have a date and has none', () => {
    for (const at of ['"yesterday"', 'null', '12', '"2026-02-31T99:00:00Z"'])
      expect(read(`{"rates":{"EUR":0.9},"at":${at}}`, { datePath: 'at' })).toEqual({ ok: false, error: 'no_date' });
  });

  it('keeps numbers inside texts as they are', () => {
    expect(parseExactJson('{"a":"1.50 \\" 2","b":[1.50,-2e5,true]}')).toEqual({ a: '1.50 " 2', b: ['1.50', '-2e5', true] });
  });
});

describe('a path', () => {
  it.each([
    ['rates.USD', ['rates', 'USD']],
    ['$.data[12].last-price', ['data', 12, 'last-price']],
    ['$["EUR/USD"]', ['EUR/USD']],
    ['[0]', [0]],
  ])('is read from %s', (text, path) => expect(parseJsonPath(text)).toEqual(path));

  it.each(['', '$', 'a..b', 'a.', 'a[', 'a[-1]', 'a[01]', 'a[*]', '$..a', "a['b']", 'a b', `a${'.b'.repeat(20)}`])(
    'is not read from %j',
    (text) => expect(parseJsonPath(text)).toBeUndefined(),
  );

  it('leads to nothing that an object only inherits', () => {
    for (const path of [['constructor'], ['a', 'length'], ['toString', 'name']]) expect(valueAt({ a: [1] }, path)).toBeUndefined();
    expect(valueAt({ a: [1] }, ['a', 0])).toBe(1);
  });
});

describe('a decimal number', () => {
  it.each([
    ['1.0832', '1.0832'],
    ['0010.500', '10.5'],
    ['1e3', '1000'],
    ['12.5E-3', '0.0125'],
    ['0.000000000000000001', '0.000000000000000001'],
    ['999999999999999999', '999999999999999999'],
  ])('%s is read as %s', (text, read) => expect(readDecimal(text)).toBe(read));

  it.each(['', '0', '0e9', '-1', '+1', '1.', '.5', 'NaN', '1e400', '1e18', '1e-19', '0x10', '1_0'])('is not read from %j', (text) => {
    expect(readDecimal(text)).toBeUndefined();
  });

  it.each([
    ['5416/5000', '1.0832'],
    ['1/3', '0.3333333333'],
    ['1/3000000', '0.0000003333333333'],
    ['20000/3', '6666.666666'],
    ['12345678901/1', '12345678901'],
  ])('shows %s as %s', (fraction, text) => expect(decimalOf(readFraction(fraction))).toBe(text));
});
