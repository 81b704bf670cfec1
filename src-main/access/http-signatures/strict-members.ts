import { type Dictionary, parseDictionary } from 'structured-headers';

// Parsers of structured fields forgive: missing padding and stray bits of base64, repeated parameters, `1.0` for an
// integer. Signed text has one meaning only when writing what was read gives the same text again.

/**
 * The longest dictionary field that is read, in characters. Strangers choose these fields before anything about them is
 * verified; no known client needs a quarter of it.
 */
const MAX_FIELD = 4_096;

/** A dictionary field (RFC 8941 §3.2): what the parser understood, and how its members were written. */
export interface StrictDictionary {
  members: Dictionary;
  /** `label=value` of each member, without the white space around commas. */
  written: ReadonlySet<string>;
}

/** @returns undefined for a field that is no dictionary, or too long. */
export function readDictionary(field: string): StrictDictionary | undefined {
  if (field.length > MAX_FIELD) return undefined;
  try {
    return { members: parseDictionary(field), written: new Set(membersOf(field)) };
  } catch {
    return undefined;
  }
}

/** The byte sequence `key` of a dictionary field, decoded strictly and without parameters. */
export function strictBytes({ members, written }: StrictDictionary, key: string): Buffer | undefined {
  const [bytes, parameters] = members.get(key) ?? [];
  if (!(bytes instanceof ArrayBuffer) || parameters === undefined || parameters.size > 0) return undefined;
  const buffer = Buffer.from(bytes);
  return written.has(`${key}=:${buffer.toString('base64')}:`) ? buffer : undefined;
}

/** Splits a dictionary at the commas between its members, in one pass. A comma in a quoted string separates nothing. */
function membersOf(field: string): string[] {
  const found: string[] = [];
  let start = 0;
  let quoted = false;
  for (let at = 0; at < field.length; at++) {
    const character = field[at];
    if (character === '"') quoted = !quoted;
    else if (quoted && character === '\\') at += 1;
    else if (!quoted && character === ',') {
      found.push(field.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...found, field.slice(start).trim()];
}
