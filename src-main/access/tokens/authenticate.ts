import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, unpeeked } from '../../platform/database/database.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { type Client, clientOf } from '../clients/clients.ts';
import { marksOf, type RequestMarks } from '../clients/repetitions.ts';
import type { GateProblem, SignatureGate } from '../clients/signature-gate.ts';
import type { SignedRequest } from '../http-signatures/http-signatures.ts';
import type { AccessRight } from '../rights/access-rights.ts';
import { parseAccess, type WireAccess } from '../rights/wire-access.ts';
import { gnapToken, hashSecret } from '../secrets.ts';
import { accessTokens, grants, isUsable } from '../tables.ts';
import type { GrantUses } from './grant-uses.ts';

/** The client that calls a resource, and what it may do. */
export interface Authenticated {
  client: Client;
  grantId: string;
  tokenId: string;
  /** The rights of the client. Identifiers of own wallet addresses are under the current origin. */
  access: readonly AccessRight[];
  /** What a copy of this request is recognised by. */
  marks: RequestMarks;
}

/**
 * Each is answered with 401. `invalid_token`: the token is unknown, expired, revoked or replaced (decisions.md#D-38).
 */
type AuthProblem = { code: 'missing_authorization' | 'invalid_token' } | { code: 'invalid_signature'; problem: GateProblem };

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

interface Parts extends Pick<Core, 'database' | 'clock' | 'urls'> {
  gate: SignatureGate;
  uses: Pick<GrantUses, 'note'>;
}

/** Checks access tokens, and the signatures of the requests that carry them, against the database on each request. */
export class Authenticator {
  readonly #parts: Parts;
  /** Parsed rights by grant. They are used again while the stored text is the same. */
  readonly #access = new Map<string, { text: string; rights: readonly AccessRight[] }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async authenticate(request: SignedRequest & { authorization: string | undefined }): Promise<Result<Authenticated, AuthProblem>> {
    const token = gnapToken(request.authorization);
    if (token === undefined) return refuse({ code: 'missing_authorization' });
    const [row] = await byHash(this.#parts.database.read).execute({ hash: hashSecret(token) });
    const now = this.#parts.clock.now();
    if (row === undefined || row.granted === null || now >= row.expiresAt || now >= (row.grantExpiresAt ?? Number.POSITIVE_INFINITY)) {
      return refuse({ code: 'invalid_token' });
    }
    const client = clientOf(row);
    const signature = await this.#parts.gate.verify(request, client);
    if (!signature.ok) return refuse({ code: 'invalid_signature', problem: signature.error });
    if (row.isRetryable === 1n) await this.#endRetries(row.tokenId);
    const { grantId, tokenId } = row;
    this.#parts.uses.note(grantId);
    return ok({ client, grantId, tokenId, access: this.#rights(grantId, row.granted), marks: marksOf(signature.value) });
  }

  /** A token that is used has reached its client, so the node does not hand out its value again. */
  async #endRetries(tokenId: string): Promise<void> {
    await this.#parts.database.write((tx) =>
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
    const own = right.identifier === undefined ? undefined : this.#parts.urls.parse(right.identifier);
    return own?.kind === 'wallet-address' ? { ...right, identifier: this.#parts.urls.walletAddress(own.name) } : right;
  }
}
