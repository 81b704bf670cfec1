import { sameAsset } from '../../../src-shared/amounts.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { idAt, newId, newSecret } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import type { ClientIdentities } from '../clients/client-identity.ts';
import { type Client, clientColumns } from '../clients/clients.ts';
import { madeBefore, type RequestMarks, rememberMade } from '../clients/repetitions.ts';
import { appendGrantEvent, findGrant, type Grant, needsOperator, payingRight } from '../grant-rows.ts';
import { fromWireAmount, type WireAccess } from '../rights/wire-access.ts';
import { hashSecret } from '../secrets.ts';
import { grants } from '../tables.ts';
import type { AccessTokens, IssuedToken } from '../tokens/access-tokens.ts';
import type { RetrySeals } from '../tokens/retry-seals.ts';
import { isFinishUri } from './finish-uri.ts';
import { lapse, readWaiting, UNOPENED_MS } from './lapses.ts';
import { placeFor } from './places.ts';

/** A grant request whose signature has been verified. */
export interface GrantRequest {
  client: Client;
  access: WireAccess[];
  /** The wallet address of which the client wants a proof of ownership. */
  subject: string | undefined;
  /** It is undefined when the client cannot send a person to a page. */
  interact: { finish: { uri: string; nonce: string } | undefined } | undefined;
  /** The URL to which the client sent the grant request, as the client signed it. */
  endpoint: string;
  /** The marks of the request. A copy of the request gets the first answer (decisions.md#D-45). */
  marks?: RequestMarks | undefined;
}

type GrantRequestProblem =
  | 'nothing_requested'
  | 'missing_interact'
  | 'jwk_cannot_interact'
  | 'identifier_required'
  | 'unknown_identifier'
  | 'several_paying_rights'
  | 'limit_asset_mismatch'
  | 'invalid_finish_uri'
  | 'client_without_document'
  | 'repeated_request'
  | 'too_many_waiting';

/** The id and the token with which the client continues the grant request. */
export interface Continuation {
  id: string;
  grantId: string;
  token: string;
}

export type GrantAnswer =
  | { kind: 'issued'; token: IssuedToken; continuation: Continuation }
  | { kind: 'pending'; interaction: { id: string; nonce: string }; serverNonce: string; continuation: Continuation };

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: Pick<WalletAddresses, 'byUrl'>;
  identities: ClientIdentities;
  tokens: AccessTokens;
  seals: Pick<RetrySeals, 'derive'>;
}

/** Takes grant requests. It grants at once what needs nobody's consent, and stores the others for the operator. */
export class Grants {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async request(request: GrantRequest): Promise<Result<GrantAnswer, GrantRequestProblem>> {
    const { client, access, subject, interact } = request;
    if (access.length === 0 && subject === undefined) return refuse('nothing_requested');
    const interactive = needsOperator(access, subject);
    // Whoever gives only a key asks for no person, whether or not one is needed (protocol-notes.md#PN-15).
    if ((interactive || interact !== undefined) && client.kind === 'jwk') return refuse('jwk_cannot_interact');
    if (interactive && interact === undefined) return refuse('missing_interact');
    if (interact?.finish && !isFinishUri(interact.finish.uri)) return refuse('invalid_finish_uri');
    const account = await this.#checkAccess(access, subject, interactive);
    if (!account.ok) return account;
    if (!interactive) return await this.#issue(request);
    const name = await this.#parts.identities.nameOf(client);
    if (!name.ok) return refuse('client_without_document');
    return await this.#ask(request, name.value, account.value);
  }

  /** @returns the wallet address that the money comes from, or that is to be proven. */
  async #checkAccess(
    access: WireAccess[],
    subject: string | undefined,
    interactive: boolean,
  ): Promise<Result<WalletAddress | undefined, GrantRequestProblem>> {
    const identifiers = access.map((item) => item.identifier);
    const mustBeNamed = (item: WireAccess) => interactive && needsOperator([item], undefined);
    if (access.some((item) => mustBeNamed(item) && item.identifier === undefined)) return refuse('identifier_required');
    const known = new Map<string, WalletAddress>();
    for (const url of [...identifiers, subject]) {
      if (url === undefined) continue;
      const walletAddress = await this.#parts.walletAddresses.byUrl(url);
      if (walletAddress === undefined) return refuse('unknown_identifier');
      known.set(url, walletAddress);
    }
    const paying = payingRight(access);
    if (access.some((item) => item !== paying && payingRight([item]))) return refuse('several_paying_rights');
    const account = known.get(paying?.identifier ?? subject ?? identifiers.find((url) => url !== undefined) ?? '');
    const debitLimit = paying?.limits?.debitAmount;
    if (debitLimit && account && !sameAsset(fromWireAmount(debitLimit), account)) return refuse('limit_asset_mismatch');
    return ok(account);
  }

  async #issue(request: GrantRequest): Promise<Result<GrantAnswer, GrantRequestProblem>> {
    const now = this.#parts.clock.now();
    const grant: Grant = { ...this.#newGrant(request, now), state: 'issued', granted: request.access, decidedAt: now };
    const fresh = { id: newId(), value: this.#secret(grant, 'token'), sealed: null };
    return await this.#parts.database.write(async (tx) => {
      const earlier = await this.#repeat(tx, request, now);
      if (earlier !== undefined) return earlier;
      await tx.insert(grants).values(grant);
      await rememberMade(tx, request.marks, grant.id);
      await appendGrantEvent(tx, 'grant.issued', grant, {}, now);
      return ok({
        kind: 'issued',
        token: await this.#parts.tokens.issueIn(tx, grant, fresh, now),
        continuation: this.#continuation(grant),
      });
    });
  }

  async #ask(
    request: GrantRequest,
    clientName: string | null,
    account: WalletAddress | undefined,
  ): Promise<Result<GrantAnswer, GrantRequestProblem>> {
    const now = this.#parts.clock.now();
    const grant = this.#newGrant(request, now);
    const pending: Grant = {
      ...grant,
      interactive: true,
      clientName,
      walletAddressId: account?.id ?? null,
      finishUri: request.interact?.finish?.uri ?? null,
      finishNonce: request.interact?.finish?.nonce ?? null,
      serverNonce: newSecret(16),
      interactionId: newId(),
      interactionNonceHash: hashSecret(this.#secret(grant, 'interaction')),
      lapsesAt: now + UNOPENED_MS,
    };
    return await this.#parts.database.write(async (tx): Promise<Result<GrantAnswer, GrantRequestProblem>> => {
      const earlier = await this.#repeat(tx, request, now);
      if (earlier !== undefined) return earlier;
      const place = placeFor(pending.clientId, await readWaiting(tx, now));
      if (place === undefined) return refuse('too_many_waiting');
      await lapse(tx, place, now);
      await tx.insert(grants).values(pending);
      await rememberMade(tx, request.marks, pending.id);
      await appendGrantEvent(tx, 'grant.requested', pending, {}, now);
      return ok(this.#asked(pending));
    });
  }

  /** Repeats the first answer, when a copy of the request has made a grant before. */
  async #repeat(tx: Tx, { marks }: GrantRequest, now: number): Promise<Result<GrantAnswer, 'repeated_request'> | undefined> {
    const made = await madeBefore(tx, marks);
    if (made === undefined) return undefined;
    await rememberMade(tx, marks, made);
    const grant = await findGrant(tx, made);
    // The secrets of a grant from before a restart were made with another key.
    if (grant === undefined || grant.continuationHash !== hashSecret(this.#continuation(grant).token)) return refuse('repeated_request');
    if (grant.interactive) return ok(this.#asked(grant));
    const token = await this.#parts.tokens.living(tx, grant, this.#secret(grant, 'token'), now);
    return token === undefined ? refuse('repeated_request') : ok({ kind: 'issued', token, continuation: this.#continuation(grant) });
  }

  #asked(grant: Grant): GrantAnswer {
    return {
      kind: 'pending',
      interaction: { id: grant.interactionId ?? '', nonce: this.#secret(grant, 'interaction') },
      serverNonce: grant.serverNonce ?? '',
      continuation: this.#continuation(grant),
    };
  }

  #continuation(grant: Pick<Grant, 'id' | 'continuationId'>): Continuation {
    return { id: grant.continuationId, grantId: grant.id, token: this.#secret(grant, 'continuation') };
  }

  /** A secret of a new grant. The node stores only its hash, and can make it again for a copy of the request. */
  #secret({ id }: Pick<Grant, 'id'>, what: 'token' | 'continuation' | 'interaction'): string {
    return this.#parts.seals.derive(`${what} of grant ${id}`);
  }

  #newGrant(request: GrantRequest, now: number): Grant {
    const ids = { id: idAt(now), continuationId: newId() };
    return newGrant(request, { ...ids, continuationHash: hashSecret(this.#continuation(ids).token) }, now);
  }
}

type GrantIds = Pick<Grant, 'id' | 'continuationId' | 'continuationHash'>;

/** The row of a new grant request, whatever its kind. */
function newGrant({ client, access, subject, endpoint }: GrantRequest, ids: GrantIds, now: number): Grant {
  return {
    ...ids,
    state: 'pending',
    ...clientColumns(client),
    clientName: null,
    requested: access,
    granted: null,
    subject: subject ?? null,
    walletAddressId: null,
    interactive: false,
    endpoint,
    finishUri: null,
    finishNonce: null,
    serverNonce: null,
    interactionId: null,
    interactionNonceHash: null,
    code: null,
    wrongCodes: 0,
    createdAt: now,
    openedAt: null,
    decidedAt: null,
    lapsesAt: null,
    lastContinuedAt: null,
    expiresAt: null,
    lastUsedAt: null,
  };
}
