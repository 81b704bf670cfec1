/** Header field values by lower-case name, several lines joined by `, ` (RFC 9421 §2.1). */
export type Fields = ReadonlyMap<string, string>;

/** Fields of one value: with two lines, one reader takes the first and another the last, so such a request means nothing. */
const SINGLE = new Set(['authorization', 'content-length', 'content-type', 'host']);

/**
 * @param rawHeaders node's `rawHeaders`: names and values in turn, the values trimmed by node's parser.
 * @returns undefined when a field that can have one value only was sent twice.
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
