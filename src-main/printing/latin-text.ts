import { inertText } from '../../src-shared/words/inert-text.ts';

/**
 * The characters of the code page in which a receipt printer writes: Windows-1252. It has all letters of German,
 * French, Spanish and Portuguese, and the euro sign. The printer has a table of its own for the control characters.
 */
const WRITABLE: ReadonlySet<string> = new Set(
  [...new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 256 }, (_, byte) => byte))].filter(
    (character) => !/[\p{Cc}\u00a0\u00ad]/u.test(character),
  ),
);

/** Characters that look like one that the printer has. */
const ALIKE: Readonly<Record<string, string>> = {
  ...{ '\u2212': '-', '\u2010': '-', '\u2011': '-', '\u2015': '—', '\u2032': "'" },
  ...{ ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', ħ: 'h', ı: 'i', '؟': '?' },
};

function writable(character: string): string {
  if (WRITABLE.has(character)) return character;
  const alike = ALIKE[character];
  if (alike !== undefined) return alike;
  // A letter loses a mark that the printer does not have, such as the dot of ż.
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain !== '' && [...plain].every((one) => WRITABLE.has(one)) ? plain : '?';
}

/** A text with only the characters that a receipt printer has. Others lose their marks, or become a question mark. */
export const latinText = (text: string): string => [...inertText(text).normalize('NFC')].map(writable).join('');

/** A text of such characters as lines of at most `width` characters. Words that are longer are broken. */
export function linesOf(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    for (; line.length > width; line = line.slice(width)) lines.push(line.slice(0, width));
  }
  return line === '' ? lines : [...lines, line];
}
