import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import type { NodeSecrets } from '../platform/node-secrets.ts';

/** How long a lost answer can be asked for again (decisions, "rotation"). */
export const RETRY_MS = 10_000;

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps a token's value readable for this process only, so that a client whose answer was lost gets the same one again.
 * The key comes from the node key and from randomness of this process: after a restart nothing sealed can be opened.
 */
export class RetrySeals {
  readonly #key: Buffer;

  constructor(secrets: NodeSecrets) {
    this.#key = createHmac('sha256', secrets.derive('retry-seals')).update(randomBytes(32)).digest();
  }

  /** @param purpose the request whose answer it is, such as `rotate:` and a token id; needed again to open it. */
  seal(value: string, purpose: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(purpose));
    return Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url');
  }

  /** The value, or undefined when it was sealed for another purpose or by another process. */
  open(sealed: string, purpose: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(purpose));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }
}
