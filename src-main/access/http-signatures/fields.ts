/** Header field values by lower-case name, several lines joined by `, ` (RFC 9421 §2.1). */
export type Fields = ReadonlyMap<string, string>;

/**
 * Fields that have one value. Of two lines one reader takes the first and another the last, so such a request has no
 * clear meaning.
 */
const SINGLE = new Set(['authorization', 'content-length', 'content-type', 'host']);

/**
 * @param rawHeaders Node's `rawHeaders`: names and values in turn. Node's parser has trimmed the values.
 * @returns undefined when the client sent a field twice that can have one value only.
 */
export function readFields(rawHeaders: readonly string[]): Fields | undefined {
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    const before = fields.get(name);
    if (before !== undefined && SINGLE.has(name)) return undefined;
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return fields;
}
