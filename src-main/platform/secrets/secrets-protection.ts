import { randomBytes, scryptSync } from 'node:crypto';
import { z } from '../../../src-shared/zod.ts';
import { Seal } from './seal.ts';

/**
 * What encrypts the file with the node's secrets: a passphrase that the operator gives, or a key that the keychain of
 * the operating system keeps.
 */
export type SecretsProtection =
  | { readonly kind: 'passphrase'; readonly passphrase: string }
  | {
      readonly kind: 'keychain';
      /** 32 bytes. */
      readonly key: Buffer;
    };

/** The protection that the settings give. It is undefined when they give none. */
export const protectionOf = ({ secretsPassphrase }: { secretsPassphrase: string | undefined }): SecretsProtection | undefined =>
  secretsPassphrase === undefined ? undefined : { kind: 'passphrase', passphrase: secretsPassphrase };

/**
 * The parameters of scrypt (RFC 7914). They are stored beside the encrypted text, so that a later version can raise
 * them.
 */
const Scrypt = z.object({
  N: z
    .number()
    .int()
    .max(2 ** 20),
  r: z.literal(8),
  p: z.literal(1),
  salt: z.string(),
});

/** A text encrypted with AES-256-GCM, and how to find its key. */
export const Protected = z.discriminatedUnion('protection', [
  z.object({ version: z.literal(2), protection: z.literal('passphrase'), scrypt: Scrypt, sealed: z.string() }),
  z.object({ version: z.literal(2), protection: z.literal('keychain'), sealed: z.string() }),
]);
export type Protected = z.infer<typeof Protected>;

const PURPOSE = 'node-secrets';
/** scrypt takes 128 MiB and about a third of a second, once per start. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;

const stretch = (passphrase: string, { N, r, p, salt }: z.infer<typeof Scrypt>): Buffer =>
  scryptSync(passphrase, Buffer.from(salt, 'base64url'), 32, { N, r, p, maxmem: 129 * N * r * p });

/** Encrypts a text. @param cost the cost of scrypt; only tests lower it. */
export function protect(text: string, protection: SecretsProtection, cost: { N: number; r: 8; p: 1 } = COST): Protected {
  if (protection.kind === 'keychain') return { version: 2, protection: 'keychain', sealed: new Seal(protection.key).seal(text, PURPOSE) };
  const scrypt = { ...cost, salt: randomBytes(16).toString('base64url') };
  return { version: 2, protection: 'passphrase', scrypt, sealed: new Seal(stretch(protection.passphrase, scrypt)).seal(text, PURPOSE) };
}

/**
 * @returns the text. It is undefined when another kind of protection, another passphrase or another key protects it, or
 * when it was changed.
 */
export function unprotect(stored: Protected, protection: SecretsProtection): string | undefined {
  if (stored.protection !== protection.kind) return undefined;
  if (protection.kind === 'keychain') return new Seal(protection.key).open(stored.sealed, PURPOSE);
  return stored.protection === 'passphrase'
    ? new Seal(stretch(protection.passphrase, stored.scrypt)).open(stored.sealed, PURPOSE)
    : undefined;
}
