import { z } from '../../../src-shared/zod.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { GrantSecrets, openGrantSecrets, sealGrantSecrets } from '../../remote-wallets/grant-secrets.ts';
import type { StoredTry } from '../refunds/claim-rows.ts';

/**
 * What the node knows of a claimant's wallet and its grant. It is sealed: anybody who has it could read their payments.
 */
const Secrets = GrantSecrets.extend({ manageUrl: z.string().optional() });
export type ClaimSecrets = z.infer<typeof Secrets>;

export const sealSecrets: (seal: Seal, id: string, secrets: ClaimSecrets) => string = sealGrantSecrets;

/** @returns undefined when the secrets were sealed with a key that this node no longer has. */
export const openSecrets = (seal: Seal, row: Pick<StoredTry, 'id' | 'sealed'>): ClaimSecrets | undefined =>
  openGrantSecrets(Secrets, seal, row);
