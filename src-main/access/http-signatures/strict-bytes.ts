import type { Dictionary } from 'structured-headers';

/**
 * The byte sequence `key` of a dictionary field, decoded strictly.
 *
 * Parsers of structured fields forgive missing padding and stray bits, so that several texts are the same bytes; here the
 * text must be the one that the bytes encode to, and carry no parameters.
 */
export function strictBytes(field: string, dictionary: Dictionary, key: string): Buffer | undefined {
  const [bytes, parameters] = dictionary.get(key) ?? [];
  if (!(bytes instanceof ArrayBuffer) || parameters === undefined || parameters.size > 0) return undefined;
  const buffer = Buffer.from(bytes);
  return field.includes(`${key}=:${buffer.toString('base64')}:`) ? buffer : undefined;
}
