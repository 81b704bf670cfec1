import { createHmac, hash, hkdfSync } from 'node:crypto';
import type { NodeSecrets } from '../../platform/secrets/node-secrets.ts';

/** The secret part of a link has so many bytes: 192 bits. */
const LINK_BYTES = 24;

/**
 * The links of claims. Like those of receipts they are derived from the STREAM secret, which stays when books are put
 * back from a copy. So the database has no link, and an old one still leads to words that say how the claim ended.
 */
export class ClaimLinks {
  readonly #key: Buffer;

  constructor({ stream }: Pick<NodeSecrets, 'stream'>) {
    this.#key = Buffer.from(hkdfSync('sha256', stream, Buffer.alloc(0), 'paydesk/claim-links', 32));
  }

  /** The secret part of the link of a claim. The same claim always has the same one. */
  secretOf(claimId: string): string {
    return createHmac('sha256', this.#key).update(claimId).digest().subarray(0, LINK_BYTES).toString('base64url');
  }
}

/** The hash by which the node finds a claim from its link. */
export const linkHashOf = (secret: string): string => hash('sha256', secret, 'base64url');

/** Whether a text can be the secret part of a link. */
export const isLinkSecret = (text: string): boolean => /^[\w-]{32}$/.test(text);
