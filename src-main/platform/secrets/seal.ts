import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts texts that the node must read again, but that nobody who reads the disk may read. It uses AES-256-GCM
 * (NIST SP 800-38D) with a fresh nonce for each text.
 */
export class Seal {
  /** Node takes several times as long for a cipher whose key is given as bytes. */
  readonly #key: KeyObject;

  /** @param key 32 bytes from `secrets.derive('…')` that are used for nothing else. */
  constructor(key: Buffer) {
    this.#key = createSecretKey(key);
  }

  /**
   * @param purpose what the text belongs to, such as the id of its row. Only the same purpose opens the text, so that a
   * text copied to another row does not open there.
   */
  seal(text: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose));
    return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** @returns the text. It is undefined when it was changed, or sealed for another purpose or with another key. */
  open(sealed: string, purpose: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    try {
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
