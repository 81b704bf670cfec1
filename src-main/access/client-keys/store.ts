import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import { type Database, prepared, type Reader } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import { remembered } from '../../platform/remembered.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { type ClientJwk, type ClientKey, clientKey, readClientJwk } from './client-key.ts';
import { clientKeys } from './tables.ts';

export type StoredClientKey = typeof clientKeys.$inferSelect;

interface NewClientKey {
  walletAddressId: string;
  /** The operator's name for the key. */
  label: string;
  /** A JWK as JSON. Some apps show it in base64, which is taken, too. */
  jwkText: string;
  /** The id of the key with which the node itself signs as this wallet address. No other key may have it. */
  nodeKid: string;
  /** The time, in milliseconds since the Unix epoch. */
  now: number;
}

/** Lets an app that holds the private half of a key sign as the wallet address. */
export async function addClientKey(
  database: Database,
  { walletAddressId, label, jwkText, nodeKid, now }: NewClientKey,
): Promise<Result<StoredClientKey, 'invalid_key' | 'private_key' | 'key_id_taken'>> {
  const read = await readClientJwk(jsonOf(jwkText));
  if (!read.ok) return read;
  const { jwk, thumbprint } = read.value;
  if (jwk.kid === nodeKid) return refuse('key_id_taken');
  const row = { id: newId(), walletAddressId, kid: jwk.kid, jwk, thumbprint, label, createdAt: now };
  return await database.write(async (tx): Promise<Result<StoredClientKey, 'key_id_taken'>> => {
    const [added] = await tx.insert(clientKeys).values(row).onConflictDoNothing().returning();
    if (added === undefined) return refuse('key_id_taken');
    const body = { kid: jwk.kid, label, thumbprint };
    await appendEvent(tx, { type: 'client_key.added', subject: row.id, walletAddressId, body, at: now });
    return ok(added);
  });
}

/** Ends a key at once and for good. A second call changes nothing. */
export async function revokeClientKey(
  database: Database,
  { id, now }: { id: string; now: number },
): Promise<Result<StoredClientKey, 'not_found'>> {
  return await database.write(async (tx): Promise<Result<StoredClientKey, 'not_found'>> => {
    const live = and(eq(clientKeys.id, id), isNull(clientKeys.revokedAt));
    const [revoked] = await tx.update(clientKeys).set({ revokedAt: now }).where(live).returning();
    if (revoked === undefined) {
      const [known] = await tx.select().from(clientKeys).where(eq(clientKeys.id, id));
      return known === undefined ? refuse('not_found') : ok(known);
    }
    const { walletAddressId, kid, label } = revoked;
    await appendEvent(tx, { type: 'client_key.revoked', subject: id, walletAddressId, body: { kid, label }, at: now });
    return ok(revoked);
  });
}

/** Every key of a wallet address, also revoked ones, oldest first. */
export async function listClientKeys(database: Database, walletAddressId: string): Promise<StoredClientKey[]> {
  const ofWallet = eq(clientKeys.walletAddressId, walletAddressId);
  return await database.read.select().from(clientKeys).where(ofWallet).orderBy(asc(clientKeys.createdAt), asc(clientKeys.id));
}

/** The keys of a wallet address that are not revoked, without the node's own. */
export async function jwksOf(database: Database, walletAddressId: string): Promise<{ keys: ClientJwk[] }> {
  const keys = await listClientKeys(database, walletAddressId);
  return { keys: keys.filter((key) => key.revokedAt === null).map((key) => key.jwk) };
}

/** The finder asks it for the keys of this node's own wallet addresses. */
export interface OwnKeys {
  /** @returns undefined when the URL belongs to this node and there is no such key. */
  find(walletAddressUrl: string, keyId: string): Promise<'not-own' | ClientKey | undefined>;
}

interface Parts extends Pick<Core, 'database' | 'urls'> {
  /** The id of the own wallet address of that name. */
  walletAddressId: (name: string) => Promise<string | undefined>;
  /** The key with which the node itself signs as the wallet address with that id. */
  nodeKey: (walletAddressId: string) => { jwk: ClientJwk; thumbprint: string };
}

/**
 * Reads keys of this node's own wallet addresses from the database at every request, without HTTP and without keeping
 * them, so that a revoked key is dead on the next request. It also knows the key with which the node itself signs as a
 * wallet address: there the node is a client as any other.
 */
export class StoredOwnKeys implements OwnKeys {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async find(walletAddressUrl: string, keyId: string): Promise<'not-own' | ClientKey | undefined> {
    const origin = originOf(walletAddressUrl);
    if (origin === undefined || !this.#parts.urls.origins.includes(origin)) return 'not-own';
    const own = this.#parts.urls.parse(walletAddressUrl);
    const walletAddressId = own?.kind === 'wallet-address' ? await this.#parts.walletAddressId(own.name) : undefined;
    if (walletAddressId === undefined) return undefined;
    const node = this.#parts.nodeKey(walletAddressId);
    if (node.jwk.kid === keyId) return clientKey(node.jwk, node.thumbprint);
    const row = await liveKey(this.#parts.database.read).get({ walletAddressId, kid: keyId });
    return row === undefined ? undefined : clientKey(row.jwk, row.thumbprint);
  }
}

const originOf = remembered((url: string): string | undefined => URL.parse(url)?.origin);

const $ = sql.placeholder;
const liveKey = prepared((on: Reader) =>
  on
    .select({ jwk: clientKeys.jwk, thumbprint: clientKeys.thumbprint })
    .from(clientKeys)
    .where(and(eq(clientKeys.walletAddressId, $('walletAddressId')), eq(clientKeys.kid, $('kid')), isNull(clientKeys.revokedAt)))
    .prepare(),
);

function jsonOf(text: string): unknown {
  const json = text.trimStart().startsWith('{') ? text : Buffer.from(text.trim(), 'base64').toString('utf8');
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
