import { z } from '../../../src-shared/zod.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { StoredTry } from '../refunds/claim-rows.ts';

const RemoteWallet = z.object({
  id: z.string(),
  publicName: z.string().optional(),
  assetCode: z.string(),
  assetScale: z.number(),
  authServer: z.string(),
  resourceServer: z.string(),
});

/**
 * What the node knows of a claimant's wallet and its grant. It is sealed: anybody who has it could read their payments.
 */
const Secrets = z.object({
  wallet: RemoteWallet,
  clientNonce: z.string(),
  serverNonce: z.string(),
  authServer: z.string(),
  interactUrl: z.string(),
  continueUri: z.string(),
  continueToken: z.string(),
  interactRef: z.string().optional(),
  token: z.string().optional(),
  manageUrl: z.string().optional(),
});
export type ClaimSecrets = z.infer<typeof Secrets>;

export const sealSecrets = (seal: Seal, id: string, secrets: ClaimSecrets): string => seal.seal(JSON.stringify(secrets), id);

/** @returns undefined when the secrets were sealed with a key that this node no longer has. */
export function openSecrets(seal: Seal, { id, sealed }: Pick<StoredTry, 'id' | 'sealed'>): ClaimSecrets | undefined {
  const text = sealed === null ? undefined : seal.open(sealed, id);
  return text === undefined ? undefined : Secrets.parse(JSON.parse(text));
}
