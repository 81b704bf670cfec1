import { hash } from 'node:crypto';
import { type Dictionary, parseDictionary } from 'structured-headers';
import { strictBytes } from './strict-members.ts';

/** The algorithms of RFC 9530 that are not deprecated, with their names in Node. */
const ALGORITHMS = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const;

/**
 * Whether a `Content-Digest` value (RFC 9530) belongs to `content`, the bytes as they came. At least one of its members
 * must have one of our algorithms, and every such member must match. Other members are ignored.
 */
export function digestMatches(field: string, content: Uint8Array): boolean {
  let members: Dictionary;
  try {
    members = parseDictionary(field);
  } catch {
    return false;
  }
  let matched = false;
  for (const [member, algorithm] of Object.entries(ALGORITHMS)) {
    if (!members.has(member)) continue;
    const digest = strictBytes(field, members, member);
    if (digest === undefined || !digest.equals(hash(algorithm, content, 'buffer'))) return false;
    matched = true;
  }
  return matched;
}
