import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { encryptFor } from './stream-answers.ts';

it('no two packets begin with the same initialization vector', () => {
  const [secret, content] = [randomBytes(32), Buffer.from('the same')];
  const beginnings = Array.from({ length: 2_000 }, () => encryptFor(secret, content).toString('hex', 0, 12));
  expect(new Set(beginnings).size).toBe(2_000);
});
