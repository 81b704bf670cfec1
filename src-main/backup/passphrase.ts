import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { type Identity, type Recipient, Stanza } from 'age-encryption';

// The passphrase stanza of the age format (age-encryption.org/v1, "scrypt recipient stanza"), with the scrypt of
// Node.js. The library's scrypt is JavaScript and many times slower. The library does everything else of the format.

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);

const LABEL = Buffer.from('age-encryption.org/v1/scrypt');
const SALT_BYTES = 16;
const FILE_KEY_BYTES = 16;
const TAG_BYTES = 16;
const NONCE = Buffer.alloc(12);
const CIPHER = 'chacha20-poly1305';
/** The binary logarithm of scrypt's N. The age tools use the same value. It takes half a second and 256 MiB. */
const WORK_FACTOR = 18;
/** The highest work factor that is accepted, four times as much work. No backup of paydesk needs more. */
const MAX_WORK_FACTOR = 20;
/**
 * The Unicode form of a passphrase. Keyboards and systems write the same letter in several ways. Most of them write
 * this form, so other tools open the file too.
 */
const SPELLING = 'NFC';

async function wrapKey(passphrase: string, salt: Buffer, logN: number): Promise<Buffer> {
  const [N, r, p] = [2 ** logN, 8, 1];
  return await derive(passphrase, Buffer.concat([LABEL, salt]), 32, { N, r, p, maxmem: 128 * N * r * p + 1024 * 1024 });
}

/** Encrypts a file with a passphrase. @param workFactor only tests lower it. */
export const passphraseRecipient = (passphrase: string, workFactor = WORK_FACTOR): Recipient => ({
  async wrapFileKey(fileKey) {
    const salt = randomBytes(SALT_BYTES);
    const key = await wrapKey(passphrase.normalize(SPELLING), salt, workFactor);
    const cipher = createCipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()]);
    return [new Stanza(['scrypt', unpadded(salt), String(workFactor)], body)];
  },
});

/** Decrypts a file that paydesk or any other age tool has encrypted with `passphrase`. */
export const passphraseIdentity = (passphrase: string): Identity => ({
  async unwrapFileKey(stanzas) {
    const [stanza, ...others] = stanzas;
    const [kind, saltText = '', logN = ''] = stanza?.args ?? [];
    const salt = Buffer.from(saltText, 'base64');
    // A file with a passphrase stanza has no other stanza. Otherwise an attacker could add one of their own.
    if (stanza === undefined || others.length > 0 || kind !== 'scrypt' || unpadded(salt) !== saltText || salt.length !== SALT_BYTES)
      return null;
    if (!/^[1-9]\d?$/.test(logN) || Number(logN) > MAX_WORK_FACTOR || stanza.body.length !== FILE_KEY_BYTES + TAG_BYTES) return null;
    // Other tools use the passphrase in the form in which it was typed.
    for (const spelled of new Set([passphrase.normalize(SPELLING), passphrase])) {
      const opened = unwrap(stanza.body, await wrapKey(spelled, salt, Number(logN)));
      if (opened !== null) return opened;
    }
    return null;
  },
});

function unwrap(body: Uint8Array, key: Buffer): Buffer | null {
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(body.subarray(FILE_KEY_BYTES));
  try {
    return Buffer.concat([decipher.update(body.subarray(0, FILE_KEY_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');
