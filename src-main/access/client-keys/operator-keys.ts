import type { ClientKey } from '../../../src-shared/operator-contract/accounts.ts';
import type { Core } from '../../platform/core.ts';
import { ok, type Result } from '../../platform/result.ts';
import { addClientKey, listClientKeys, revokeClientKey, type StoredClientKey } from './store.ts';

export type NewKeyProblem = 'invalid_key' | 'private_key' | 'key_id_taken';

interface Parts extends Pick<Core, 'database' | 'clock'> {
  /** The key with which the node itself signs as the wallet address with that id. */
  nodeKey: (walletAddressId: string) => { jwk: { kid: string } };
}

/** The client keys of wallet addresses, as the operator sees and changes them. */
export class OperatorKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The keys of a wallet address, the oldest first, with those that were revoked. */
  async list(walletAddressId: string): Promise<ClientKey[]> {
    return (await listClientKeys(this.#parts.database, walletAddressId)).map(shownKey);
  }

  /** @param key its `jwk` is a JWK as JSON, or the same in base64. */
  async add({
    walletAddressId,
    label,
    jwk,
  }: {
    walletAddressId: string;
    label: string;
    jwk: string;
  }): Promise<Result<ClientKey, NewKeyProblem>> {
    const { database, clock, nodeKey } = this.#parts;
    const nodeKid = nodeKey(walletAddressId).jwk.kid;
    const added = await addClientKey(database, { walletAddressId, label, jwkText: jwk, nodeKid, now: clock.now() });
    return added.ok ? ok(shownKey(added.value)) : added;
  }

  async revoke(keyId: string): Promise<Result<ClientKey, 'not_found'>> {
    const revoked = await revokeClientKey(this.#parts.database, { id: keyId, now: this.#parts.clock.now() });
    return revoked.ok ? ok(shownKey(revoked.value)) : revoked;
  }
}

const shownKey = ({ id, kid, label, createdAt, revokedAt }: StoredClientKey): ClientKey => ({
  id,
  kid,
  label,
  createdAt: new Date(createdAt),
  revokedAt: revokedAt === null ? null : new Date(revokedAt),
});
