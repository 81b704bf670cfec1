import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostAndPath, hostOf, inertJson, inertText, shortened } from './inert-text.ts';

describe('inertText', () => {
  test('marks that turn the direction of writing are removed', () => {
    expect(inertText('Bank \u202Eecivres\u202C \u2066x\u2069\u200F')).toBe('Bank ecivres x');
  });

  test('control and invisible characters are removed, and line breaks become spaces', () => {
    expect(inertText('a\u0000b\u200Bc\r\nd\u2028e\te\u00ADf')).toBe('abc d e ef');
  });

  test('blanks that count as letters become spaces, and blanks in a row become one', () => {
    expect(inertText('Till\u2800\u2800\u3164\uFFA0App\u115F\u1160x')).toBe('Till App x');
    expect(inertText('a \u200B b')).toBe('a b');
  });

  test('markup stays unchanged, as text', () => {
    expect(inertText('<img src=x onerror=alert(1)>')).toBe('<img src=x onerror=alert(1)>');
  });

  test('letters of every script and accents stay', () => {
    for (const name of ['Café Zoë', 'קפה', 'مقهى', '喫茶店', 'e\u0301']) expect(inertText(name)).toBe(name);
  });

  test('a letter keeps only its first few marks', () => {
    expect(inertText(`Z${'\u0301'.repeat(200)}`).length).toBeLessThanOrEqual(5);
  });

  test('no text keeps a harmful character, and a second pass changes nothing', () => {
    const text = fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 }).map((points) => String.fromCodePoint(...points));
    fc.assert(
      fc.property(text, (text) => {
        const inert = inertText(text);
        expect(inert).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
        expect(inertText(inert)).toBe(inert);
      }),
    );
  });
});

test('long text is cut between characters as people count them', () => {
  expect(shortened('short', 10)).toEqual({ text: 'short', whole: true });
  expect(shortened('x'.repeat(200), 10)).toEqual({ text: `${'x'.repeat(9)}…`, whole: false });
  expect(shortened('e\u0301'.repeat(20), 5).text).toBe(`${'e\u0301'.repeat(4)}…`);
});

test('a URL is shown as its host and path', () => {
  expect(hostAndPath('https://shop.example/till/')).toBe('shop.example/till');
  expect(hostAndPath('http://127.0.0.1:3000/main')).toBe('127.0.0.1:3000/main');
});

test('the host of a URL is the real one, whatever text comes before or after it', () => {
  expect(hostOf('https://bank.example@evil.test/bank.example')).toBe('evil.test');
  expect(hostOf('http://127.0.0.1:9000/x')).toBe('127.0.0.1:9000');
  expect(hostOf('till-app://done')).toBe('done');
  expect(hostOf('till-app:/done')).toBe('till-app:');
  expect(hostOf('nonsense')).toBe('nonsense');
});

test('data of a stranger is JSON in which nothing turns or hides the text', () => {
  const data = { 'a\u202eb': ['x\u200by', { deep: '\u{e0041}' }], n: 1 };
  const text = inertJson(data);
  expect(text).toContain('"a\\u202eb"');
  expect(text).toContain('\n');
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(inertJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      expect(inertJson(value).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
    }),
  );
});
