import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folded, table } from './folded-text.ts';

/** Characters that control a terminal, change the direction of writing, or begin a line. */
const ACTIVE = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const strangeText = fc
  .array(
    fc.constantFrom(
      '\u001b[2J',
      '\u009b31m',
      '\r',
      '\n',
      '\u202e',
      '\u2066',
      '\u200b',
      '\u0007',
      '\u001b]8;;x\u0007',
      'word ',
      '\ud800',
      'é',
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

describe('folded text', () => {
  it('breaks between words and begins each line at its column', () => {
    const lines = folded('one two three '.repeat(20), 4);
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/^ {4}\S.{0,95}$/);
    expect(lines.map((line) => line.trim()).join(' ')).toBe('one two three '.repeat(20).trim());
  });

  it('leaves a long word whole, so that it can be copied', () => {
    const url = `https://shop.example/${'x'.repeat(200)}`;
    expect(folded(`to ${url} at once`, 2)).toEqual(['  to', `  ${url}`, '  at once']);
  });

  it('holds no character that controls a terminal', () => {
    fc.assert(
      fc.property(strangeText, (text) => {
        for (const line of folded(text, 2)) {
          expect(line).not.toMatch(ACTIVE);
          expect(line.startsWith('  ')).toBe(true);
        }
      }),
    );
  });
});

describe('a table', () => {
  it('has its values in one column, where each value goes on below itself', () => {
    expect(
      table(
        [
          ['A', 'one'],
          ['Longer', 'x '.repeat(60)],
        ],
        2,
      ),
    ).toEqual(['  A       one', `  Longer  ${'x '.repeat(45).trim()}`, `          ${'x '.repeat(15).trim()}`]);
  });

  it('does not let a value look like a name', () => {
    fc.assert(
      fc.property(strangeText, (text) => {
        const [first = '', ...more] = table([['Name', text]], 4);
        expect(first.startsWith('    Name')).toBe(true);
        for (const line of more) expect(line).toMatch(/^ {10}/);
        for (const line of [first, ...more]) expect(line).not.toMatch(ACTIVE);
      }),
    );
  });
});
