import fc from 'fast-check';
import { expect, it } from 'vitest';
import { base32 } from '../../platform/secrets/base32.ts';
import { codeOf, newTotpSecret, stepAt, stepOfCode, totpUri } from './totp.ts';

/** The secret of the test vectors, as apps write it. */
const SECRET = base32(Buffer.from('12345678901234567890'));

it('the codes are those of RFC 6238, appendix B', () => {
  const vectors = [
    [59, '287082'],
    [1111111109, '081804'],
    [1111111111, '050471'],
    [1234567890, '005924'],
    [2000000000, '279037'],
    [20000000000, '353130'],
  ] as const;
  for (const [seconds, code] of vectors) expect(codeOf(SECRET, stepAt(seconds * 1_000))).toBe(code);
});

it('a secret is written as RFC 4648, section 10, writes it', () => {
  expect(SECRET).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  expect(['f', 'fo', 'foo', 'foob', 'fooba'].map((text) => base32(Buffer.from(text)))).toEqual([
    'MY',
    'MZXQ',
    'MZXW6',
    'MZXW6YQ',
    'MZXW6YTB',
  ]);
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
});

it('a code counts in its step, and in the ones before and after it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 1e8 }), fc.integer({ min: -1, max: 1 }), fc.nat(29_999), (step, away, within) => {
      expect([step, step - 1, step + 1]).toContain(stepOfCode(SECRET, codeOf(SECRET, step + away), step * 30_000 + within));
    }),
  );
  expect(stepOfCode(SECRET, codeOf(SECRET, 102), 100 * 30_000)).toBeUndefined();
  expect(stepOfCode(SECRET, codeOf(SECRET, 98), 100 * 30_000)).toBeUndefined();
});

it('an app reads name, issuer and secret from the square', () => {
  expect(totpUri('ABC', { issuer: 'paydesk desk.example', name: 'Ada & Co' })).toBe(
    'otpauth://totp/paydesk%20desk.example:Ada%20%26%20Co?secret=ABC&issuer=paydesk%20desk.example',
  );
});
