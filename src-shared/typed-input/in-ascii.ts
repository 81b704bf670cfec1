/** Marks of direction, which `Intl` writes into Arabic and Hebrew numbers. They show nothing. */
const MARKS = /[\u200e\u200f\u061c]/g;

/** The text in ASCII as far as its digits, spaces and full-width forms go. Every other character stays. */
export const inAscii = (text: string): string =>
  text
    .replace(MARKS, '')
    .replace(/[\uff01-\uff5e]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/\p{Nd}/gu, digitOf)
    .replaceAll('’', "'")
    .replace(/\s/g, ' ')
    .trim();

/** The ASCII digit with the same value. Unicode has the ten digits of a script in a row, from zero to nine. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - before - 1))) before += 1;
  return String(before % 10);
}
