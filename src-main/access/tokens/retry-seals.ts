import { createHmac, randomBytes } from 'node:crypto';
import type { NodeSecrets } from '../../platform/secrets/node-secrets.ts';
import { Seal } from '../../platform/secrets/seal.ts';

/** How long a lost answer can be asked for again (decisions, "rotation"). */
export const RETRY_MS = 10_000;

/**
 * Keeps a token's value readable for this process only, so that a client whose answer was lost gets the same one again.
 * The key comes from the node key and from randomness of this process: after a restart nothing sealed can be opened.
 */
export class RetrySeals extends Seal {
  constructor(secrets: NodeSecrets) {
    super(createHmac('sha256', secrets.derive('retry-seals')).update(randomBytes(32)).digest());
  }
}
