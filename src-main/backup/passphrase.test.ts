import { Stanza } from 'age-encryption';
import { beforeEach, expect, it, vi } from 'vitest';
import { passphraseIdentity } from './passphrase.ts';

/** The costs with which scrypt was asked for a key. */
const asked = vi.hoisted((): number[] => []);
vi.mock('node:crypto', async (importOriginal) => ({
  ...(await importOriginal<typeof import('node:crypto')>()),
  scrypt: (_: string, _salt: Buffer, bytes: number, { N }: { N: number }, done: (error: null, key: Buffer) => void) => {
    asked.push(N);
    done(null, Buffer.alloc(bytes));
  },
}));
beforeEach(() => {
  asked.length = 0;
});

/** The beginning of a file that claims this work factor. Its salt and its key are nobody's. */
const claiming = (factor: string) => [
  new Stanza(['scrypt', Buffer.alloc(16, 1).toString('base64').replaceAll('=', ''), factor], Buffer.alloc(32)),
];

it('the highest work factor that is accepted costs four times as much as that of a backup', async () => {
  expect(await passphraseIdentity('a passphrase').unwrapFileKey(claiming('20'))).toBeNull();
  expect(asked).toEqual([2 ** 20]);
});

it.each(['21', '30', '63', '99', '1e9', '-1', '018', ''])('a file that claims the work factor %j costs nothing', async (factor) => {
  expect(await passphraseIdentity('a passphrase').unwrapFileKey(claiming(factor))).toBeNull();
  expect(asked).toEqual([]);
});
