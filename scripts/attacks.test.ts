import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// `npm test` prints the name of each attack that a unit test tries. Here it is held that these are among them.

const root = join(import.meta.dirname, '..');

/** What each of these attacks is about, in the words of its test. */
const ATTACKS = {
  'the session of a removed person': /^the session of a removed person/,
  'the cookie of a cashier on the console': /^a cashier's cookie on operations of the owner/,
  'the key of a till at the operator API': /^the cookie and the secret of a till at the console and its API/,
  'an invitation twice': /^a link of an invitation is opened twice/,
  'a passkey of another origin': /^a passkey of another origin/,
  'a downgrade to the password': /^downgrade to the password alone/,
  'a PIN tried 1,000 times over restarts': /^1,000 PINs over restarts/,
  'a role that is lowered during a long export': /^a role is lowered during a long export/,
  'the live stream of a forbidden topic': /^a page listens for topics that its role may not read/,
  'the setup code after set-up': /^the setup code after set-up/,
};

/** The names of all attacks: one test has one name. */
const names = globSync('src-main/**/*.test.ts', { cwd: root }).flatMap((file) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/\bit\((['"`])attack: (.+?)\1,/g)].map(([, , name = '']) => name),
);

it.each(Object.entries(ATTACKS))('%s is an attack that a test of its own tries', (_, about) => {
  expect(names.filter((name) => about.test(name))).toHaveLength(1);
});

it('at least twenty attacks are tried, each by its name', () => {
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(50);
});
