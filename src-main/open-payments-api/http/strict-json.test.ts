import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseStrictJson } from './strict-json.ts';

const parse = (text: string) => parseStrictJson(Buffer.from(text));

test('the reader reads what JSON.stringify writes as it was', () => {
  // The reader refuses the key `__proto__` on purpose. Another test checks that.
  const values = fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
  fc.assert(
    fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
    }),
    { numRuns: 3_000 },
  );
});

test('the reader finds a key that occurs twice wherever it is', () => {
  fc.assert(
    fc.property(fc.string(), fc.jsonValue(), fc.jsonValue(), fc.integer({ min: 0, max: 10 }), (key, a, b, depth) => {
      fc.pre(key !== '__proto__' && !JSON.stringify([a, b]).includes('__proto__'));
      const twice = `{${JSON.stringify(key)}:${JSON.stringify(a)},"x${key.length}y":1 , ${JSON.stringify(key)} :${JSON.stringify(b)}}`;
      expect(parse('['.repeat(depth) + twice + ']'.repeat(depth)).ok).toBe(false);
    }),
  );
});

describe('the reader accepts', () => {
  test.each([
    '{"a":{"a":1},"b":[{"a":1},{"a":2}]}',
    '{"a":"a","b":"b:","c":"\\"a\\":"}',
    '{"":1,"\\u0061b":2,"ab ":3}',
    '[0,-0,0.0,1e2,1E+2,100e-2,0.1,1.10,-12.5e-3,9007199254740991,9007199254740992,1e22,123456789012345680000,0.30000000000000004]',
    '[0.10000000000000001]',
    '"\\ud83d\\ude00 and \\u0000"',
    ' \t\r\n{ } ',
    '{"constructor":1,"toString":2}',
  ])('%s', (text) => expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) }));
});

describe('the reader refuses', () => {
  test.each([
    ['', 'nothing'],
    ['{', 'cut off'],
    ['{"a":1,}', 'a trailing comma'],
    ["{'a':1}", 'other quotes'],
    ['{"a":1} {}', 'something behind it'],
    ['\ufeff{}', 'a byte order mark'],
    ['{"a":1,"a":1}', 'a key twice'],
    ['{"a":1,"\\u0061":1}', 'a key twice, once escaped'],
    ['{"__proto__":1}', 'a prototype'],
    ['{"\\u005f_proto__":1}', 'an escaped prototype'],
    ['9007199254740993', 'an integer between two doubles'],
    ['[1,{"a":-123456789012345678901}]', 'a long integer'],
    ['9007199254740993.0', 'the same with a point'],
    ['1e400', 'infinity'],
    ['1e-400', 'too small'],
    ['0.123456789012345678', 'too many digits'],
    ['10000000000000000000000001e-1', 'a long integer with an exponent'],
    [`0.1${'0'.repeat(60_000)}1`, 'as many digits as fit into a body'],
    ['1e999999999', 'an exponent that would fill the memory'],
    ['['.repeat(65) + ']'.repeat(65), 'depth'],
  ])('%s (%s)', (text) => expect(parse(text).ok).toBe(false));

  test('bytes that are not UTF-8', () => {
    expect(parseStrictJson(Buffer.from([0x22, 0xff, 0x22])).ok).toBe(false);
    expect(parseStrictJson(Buffer.from([0x22, 0xc0, 0x80, 0x22])).ok).toBe(false);
  });
});
