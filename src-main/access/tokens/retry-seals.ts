import { createHmac, randomBytes } from 'node:crypto';
import type { NodeSecrets } from '../../platform/secrets/node-secrets.ts';
import { Seal } from '../../platform/secrets/seal.ts';

/** How long a client can ask again for a lost answer (decisions.md#D-39). */
export const RETRY_MS = 10_000;

/**
 * Seals the value of a token so that only this process can open it. A client whose answer was lost gets the same value
 * again. The key comes from the node's key and from random bytes of this process, so nothing can be opened after a
 * restart.
 */
export class RetrySeals extends Seal {
  readonly #derivation: Buffer;

  constructor(secrets: NodeSecrets) {
    const ofThisProcess = (use: string) => createHmac('sha256', secrets.derive(use)).update(randomBytes(32)).digest();
    super(ofThisProcess('retry-seals'));
    this.#derivation = ofThisProcess('repeated-secrets');
  }

  /** A secret of 256 bits that only this process can make, as often as it is asked to. */
  derive(purpose: string): string {
    return createHmac('sha256', this.#derivation).update(purpose).digest('base64url');
  }
}
