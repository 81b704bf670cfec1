import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReportedError } from '../../platform/errors.ts';
import { type Keychain, keepsKeys, keptKey, planProtection } from './kept-key.ts';

let profile: string;
beforeEach(() => {
  profile = mkdtempSync(join(tmpdir(), 'paydesk-kept-'));
});
afterEach(() => rmSync(profile, { recursive: true }));

/** A keychain that reverses what it is given, and opens only its own. */
const keychain = (name = 'mine', backend = 'gnome_libsecret', available = true): Keychain => ({
  isAsyncEncryptionAvailable: async () => available,
  getSelectedStorageBackend: () => backend,
  encryptStringAsync: async (text) => Buffer.from(`${name} ${[...text].reverse().join('')}`),
  decryptStringAsync: async (encrypted) => {
    const text = encrypted.toString();
    if (!text.startsWith(`${name} `)) throw new Error('another keychain');
    return { result: [...text.slice(name.length + 1)].reverse().join('') };
  },
});

describe('the kept key', () => {
  it('is made once, of 32 bytes, and found again', async () => {
    const first = await keptKey(profile, keychain());
    expect(first.kind === 'keychain' && first.key).toHaveLength(32);
    expect(await keptKey(profile, keychain())).toEqual(first);
  });

  it('does not lie in clear in the profile, and only its owner reads the file', async () => {
    const made = await keptKey(profile, keychain());
    if (made.kind !== 'keychain') return expect.fail();
    const file = join(profile, 'kept-key.json');
    const content = readFileSync(file, 'utf8');
    for (const form of ['base64url', 'base64', 'hex'] as const) expect(content).not.toContain(made.key.toString(form));
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('is not made while the keychain takes none', async () => {
    const shut = { ...keychain(), encryptStringAsync: () => Promise.reject(new Error('the prompt was dismissed')) };
    await expect(keptKey(profile, shut)).rejects.toThrow(/keeps no key for paydesk/);
    expect(readdirSync(profile)).toEqual([]);
  });

  it('is not replaced when the keychain does not open it, or it is damaged', async () => {
    await keptKey(profile, keychain('theirs'));
    const path = join(profile, 'kept-key.json');
    const before = readFileSync(path, 'utf8');
    await expect(keptKey(profile, keychain('mine'))).rejects.toThrow(ReportedError);
    expect(readFileSync(path, 'utf8')).toBe(before);
    writeFileSync(path, before.slice(0, 20));
    await expect(keptKey(profile, keychain('theirs'))).rejects.toThrow(/does not open paydesk’s key/);
  });
});

describe('the keychain of a system', () => {
  it.each([
    ['darwin', keychain('', 'unknown'), true],
    ['win32', keychain('', 'unknown'), true],
    ['linux', keychain('', 'gnome_libsecret'), true],
    ['linux', keychain('', 'kwallet6'), true],
    ['linux', keychain('', 'basic_text'), false],
    ['linux', keychain('', 'unknown'), false],
    ['linux', keychain('', 'gnome_libsecret', false), false],
    ['darwin', keychain('', '', false), false],
  ] as const)('is used on %s when it really encrypts (case %#)', async (platform, chain, keeps) => {
    expect(await keepsKeys(chain, platform)).toBe(keeps);
  });
});

it('the keychain of a system that cannot say whether it encrypts is not used', async () => {
  const broken = { ...keychain(), isAsyncEncryptionAvailable: () => Promise.reject(new Error('no bus')) };
  expect(await keepsKeys(broken, 'linux')).toBe(false);
});

describe('the protection of the secrets', () => {
  it.each([
    [undefined, false, true, { kind: 'keychain' }],
    [undefined, false, false, { kind: 'ask', first: true }],
    [undefined, true, true, { kind: 'given' }],
    ['passphrase', false, true, { kind: 'ask', first: false }],
    ['passphrase', false, false, { kind: 'ask', first: false }],
    ['passphrase', true, true, { kind: 'given' }],
    ['keychain', false, true, { kind: 'keychain' }],
    ['keychain', false, false, { kind: 'keychain' }],
    ['keychain', true, true, { kind: 'keychain' }],
  ] as const)(
    'is chosen when the stored one is %s, a passphrase was given: %s, and the keychain can be used: %s',
    (stored, given, keeps, plan) => {
      expect(planProtection({ stored, given }, keeps)).toEqual(plan);
    },
  );
});
