import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { latinText, linesOf } from './latin-text.ts';

describe('a text for a receipt printer', () => {
  it.each([
    ['Größe, Façade, Niño, Não – 5 €', 'Größe, Façade, Niño, Não – 5 €'],
    ['“œ” ‘x’ …', '“œ” ‘x’ …'],
    ['Żółw Łódź', 'Zólw Lódz'],
    ['1\u202f234,50 −3', '1 234,50 -3'],
    ['شكرًا', '?????'],
    ['日本', '??'],
    ['e\u0301', 'é'],
    ['½ ﬁ', '½ fi'],
  ])('“%s” is written “%s”', (text, written) => {
    expect(latinText(text)).toBe(written);
  });

  it('gives the printer no command, whatever it says', () => {
    const commands = fc.constantFrom('\u001b', '\u001d', '\u0010', '\u009b', '@', 'V', '\n');
    const letters = fc.integer({ min: 0, max: 0x2fff }).map((code) => String.fromCodePoint(code));
    const anything = fc.string({ unit: fc.oneof(letters, commands) });
    fc.assert(
      fc.property(anything, (text) => {
        expect(latinText(text)).not.toMatch(/[\p{Cc}\p{Cf}\u00a0]/u);
      }),
    );
  });

  it('has lines of at most its width, and loses no letter', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'ß', '?', ' '), maxLength: 200 });
    fc.assert(
      fc.property(words, fc.integer({ min: 1, max: 48 }), (text, width) => {
        const lines = linesOf(text, width);
        expect(lines.every((line) => line.length <= width)).toBe(true);
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
      }),
    );
  });
});
