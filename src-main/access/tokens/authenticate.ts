import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Clock } from '../../platform/clock.ts';
import { type Database, prepared, type Reader, unpeeked } from '../../platform/database/database.ts';
import type { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { type Client, clientOf } from '../clients/clients.ts';
import type { GateProblem, SignatureGate } from '../clients/signature-gate.ts';
import type { SignedRequest, VerifiedSignature } from '../http-signatures/http-signatures.ts';
import type { AccessRight } from '../rights/access-rights.ts';
import { parseAccess, type WireAccess } from '../rights/wire-access.ts';
import { gnapToken, hashSecret } from '../secrets.ts';
import { accessTokens, grants, isUsable } from '../tables.ts';
import type { GrantUses } from './grant-uses.ts';

/** Who calls a resource, and what it may do. */
export interface Authenticated {
  client: Client;
  grantId: string;
  tokenId: string;
  /** Identifiers of own wallet addresses are written under the current origin. */
  access: readonly AccessRight[];
  signature: VerifiedSignature;
}

/** Every one of them is a 401. `invalid_token`: unknown, expired, revoked or replaced. */
export type AuthProblem = { code: 'missing_authorization' | 'invalid_token' } | { code: 'invalid_signature'; problem: GateProblem };

const byHash = prepared((reader: Reader) =>
  reader
    .select({
      tokenId: accessTokens.id,
      grantId: accessTokens.grantId,
      expiresAt: accessTokens.expiresAt,
      isRetryable: sql<bigint>`${accessTokens.sealed} is not null`,
      clientKind: grants.clientKind,
      clientId: grants.clientId,
      clientJwk: grants.clientJwk,
      granted: sql<string | null>`${grants.granted}`,
      grantExpiresAt: grants.expiresAt,
    })
    .from(accessTokens)
    .innerJoin(grants, eq(grants.id, accessTokens.grantId))
    .where(and(eq(accessTokens.tokenHash, unpeeked('hash')), isUsable))
    .prepare(),
);

const MAX_KEPT = 5_000;

/** Checks access tokens and the signatures of the requests that carry them, on each request against the database. */
export class Authenticator {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #gate: SignatureGate;
  readonly #urls: PublicUrls;
  readonly #uses: Pick<GrantUses, 'note'>;
  /** Parsed rights by grant, used again while the stored text is the same. */
  readonly #access = new Map<string, { text: string; rights: readonly AccessRight[] }>();

  constructor(parts: { database: Database; clock: Clock; gate: SignatureGate; urls: PublicUrls; uses: Pick<GrantUses, 'note'> }) {
    this.#database = parts.database;
    this.#clock = parts.clock;
    this.#gate = parts.gate;
    this.#urls = parts.urls;
    this.#uses = parts.uses;
  }

  async authenticate(request: SignedRequest & { authorization: string | undefined }): Promise<Result<Authenticated, AuthProblem>> {
    const token = gnapToken(request.authorization);
    if (token === undefined) return refuse({ code: 'missing_authorization' });
    const [row] = await byHash(this.#database.read).execute({ hash: hashSecret(token) });
    const now = this.#clock.now();
    if (row === undefined || row.granted === null || now >= row.expiresAt || now >= (row.grantExpiresAt ?? Number.POSITIVE_INFINITY)) {
      return refuse({ code: 'invalid_token' });
    }
    const client = clientOf(row);
    const signature = await this.#gate.verify(request, client);
    if (!signature.ok) return refuse({ code: 'invalid_signature', problem: signature.error });
    if (row.isRetryable === 1n) await this.#endRetries(row.tokenId);
    const { grantId, tokenId } = row;
    this.#uses.note(grantId);
    return ok({ client, grantId, tokenId, access: this.#rights(grantId, row.granted), signature: signature.value });
  }

  /** A token that is used has reached its client: its value is not handed out again. */
  async #endRetries(tokenId: string): Promise<void> {
    await this.#database.write((tx) =>
      tx
        .update(accessTokens)
        .set({ sealed: null })
        .where(and(eq(accessTokens.id, tokenId), isNotNull(accessTokens.sealed))),
    );
  }

  #rights(grantId: string, text: string): readonly AccessRight[] {
    const known = this.#access.get(grantId);
    if (known?.text === text) return known.rights;
    const rights = parseAccess(JSON.parse(text) as WireAccess[]).map((right) => this.#underCurrentOrigin(right));
    if (this.#access.size >= MAX_KEPT) this.#access.clear();
    this.#access.set(grantId, { text, rights });
    return rights;
  }

  #underCurrentOrigin(right: AccessRight): AccessRight {
    const own = right.identifier === undefined ? undefined : this.#urls.parse(right.identifier);
    return own?.kind === 'wallet-address' ? { ...right, identifier: this.#urls.walletAddress(own.name) } : right;
  }
}
