import { describe, expect, test } from 'vitest';
import { gnapToken } from '../access/secrets.ts';
import { prefersHtml } from '../open-payments-api/pages/html-page.ts';
import { bearerToken } from '../peers/peer-tokens.ts';
import { cookieNamed } from '../platform/cookies.ts';

// Anybody may send these fields, and they are read before anything about the sender is known. What lies behind the cap
// of a field costs nothing, because nobody looks at it. Signatures and digests have tests of their own.

describe('a header field is read as far as its cap and no further', () => {
  test.each([
    ['GNAP', gnapToken],
    ['Bearer', bearerToken],
  ])('Authorization: %s', (scheme, read) => {
    const longest = 'a'.repeat(512);
    expect(read(`${scheme} ${longest}`)).toBe(longest);
    expect(read(`${scheme} ${longest}a`)).toBeUndefined();
    expect(read(`${scheme} ${'a'.repeat(15_000)}`)).toBeUndefined();
  });

  test('Accept', () => {
    const refusedAt = (length: number) => `${'text/html'.padEnd(length - ';q=0'.length)};q=0`;
    expect(prefersHtml(refusedAt(1_024))).toBe(false);
    expect(prefersHtml(refusedAt(1_028))).toBe(true);
  });

  test('Cookie', () => {
    const behind = (count: number) => `${'a=1;'.repeat(count)}session=secret`;
    expect(cookieNamed('session', behind(255))).toBe('secret');
    expect(cookieNamed('session', behind(256))).toBeUndefined();
  });
});
