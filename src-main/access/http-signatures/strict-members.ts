import type { Dictionary } from 'structured-headers';

// Parsers of structured fields forgive: missing padding and stray bits of base64, repeated parameters, `1.0` for an
// integer. Signed text has one meaning only when writing what was read gives the same text again.

/** Whether a dictionary field holds exactly this text: a label with its strictly serialised value. */
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

/** Members lie between commas. White space around commas means nothing. */
const separated = (text: string): string => `,${text.replace(/[ \t]*,[ \t]*/g, ',')},`;
