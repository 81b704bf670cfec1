import type { Result } from '../../platform/result.ts';
import type { ClientKey } from '../client-keys/client-key.ts';
import type { Client } from '../client-keys/finder.ts';
import type { KeyProblem } from '../http-signatures/http-signatures.ts';
import type { grants } from '../tables.ts';

export type { Client } from '../client-keys/finder.ts';

/** Finds the keys of clients. */
export interface ClientKeys {
  /** @param from the network from which the signed request came. */
  find(client: Client, keyId: string, from?: string): Promise<Result<ClientKey, KeyProblem>>;
}

type ClientColumns = Pick<typeof grants.$inferSelect, 'clientKind' | 'clientId' | 'clientJwk'>;

/** The client to which a grant was given. Every later call must be signed with one of its keys. */
export function clientOf({ clientKind, clientId, clientJwk }: ClientColumns): Client {
  if (clientKind === 'wallet-address') return { kind: 'wallet-address', id: clientId, walletAddress: clientId };
  if (clientJwk === null) throw new Error('a grant of a key without the key');
  return { kind: 'jwk', id: clientId, jwk: clientJwk };
}

export const clientColumns = (client: Client): ClientColumns => ({
  clientKind: client.kind,
  clientId: client.id,
  clientJwk: client.kind === 'jwk' ? client.jwk : null,
});
