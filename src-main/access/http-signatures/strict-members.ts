import type { Dictionary } from 'structured-headers';

// Parsers of structured fields forgive: missing padding and stray bits of base64, repeated parameters, `1.0` for an integer.
// What is signed has one reading only when its text is the one it would be written as again.

/** Whether `member`, a label with its strictly serialised value, stands in a dictionary field just so. */
export function isMember(field: string, member: string): boolean {
  return field === member || separated(field).includes(separated(member));
}

/** The byte sequence `key` of a dictionary field, decoded strictly and without parameters. */
export function strictBytes(field: string, dictionary: Dictionary, key: string): Buffer | undefined {
  const [bytes, parameters] = dictionary.get(key) ?? [];
  if (!(bytes instanceof ArrayBuffer) || parameters === undefined || parameters.size > 0) return undefined;
  const buffer = Buffer.from(bytes);
  return isMember(field, `${key}=:${buffer.toString('base64')}:`) ? buffer : undefined;
}

/** Members lie between commas; white space around those is free. */
const separated = (text: string): string => `,${text.replace(/[ \t]*,[ \t]*/g, ',')},`;
