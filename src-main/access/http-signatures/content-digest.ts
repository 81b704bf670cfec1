import { hash } from 'node:crypto';
import { readDictionary, strictBytes } from './strict-members.ts';

/** The algorithms of RFC 9530 that are not deprecated, with their names in Node. */
const ALGORITHMS = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;

/**
 * Whether a `Content-Digest` value (RFC 9530) belongs to `content`, the bytes as they came. At least one of its members
 * must have one of our algorithms, and every such member must match. Other members are ignored.
 */
export function digestMatches(field: string, content: Uint8Array): boolean {
  const dictionary = readDictionary(field);
  if (dictionary === undefined) return false;
  let matched = false;
  for (const [member, algorithm] of Object.entries(ALGORITHMS)) {
    if (!dictionary.members.has(member)) continue;
    const digest = strictBytes(dictionary, member);
    if (digest === undefined || !digest.equals(hash(algorithm, content, 'buffer'))) return false;
    matched = true;
  }
  return matched;
}
