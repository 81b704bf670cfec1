import { z } from '../../src-shared/zod.ts';
import type { Seal } from '../platform/secrets/seal.ts';

/** A wallet of somebody else, as its address told. */
const RemoteWallet = z.object({
  id: z.string(),
  publicName: z.string().optional(),
  assetCode: z.string(),
  assetScale: z.number(),
  authServer: z.string(),
  resourceServer: z.string(),
});

/** What the node knows of somebody's wallet and of the grant that it asks for there, from the request to the token. */
export const GrantSecrets = z.object({
  wallet: RemoteWallet,
  clientNonce: z.string(),
  serverNonce: z.string(),
  authServer: z.string(),
  interactUrl: z.string(),
  continueUri: z.string(),
  continueToken: z.string(),
  interactRef: z.string().optional(),
  token: z.string().optional(),
});

/** @param id of the row that holds them. They open in no other row. */
export const sealGrantSecrets = (seal: Seal, id: string, secrets: z.infer<typeof GrantSecrets>): string =>
  seal.seal(JSON.stringify(secrets), id);

/** @returns undefined when the secrets were sealed with a key that this node no longer has. */
export function openGrantSecrets<Secrets>(
  schema: z.ZodType<Secrets>,
  seal: Seal,
  { id, sealed }: { id: string; sealed: string | null },
): Secrets | undefined {
  const text = sealed === null ? undefined : seal.open(sealed, id);
  return text === undefined ? undefined : schema.parse(JSON.parse(text));
}
