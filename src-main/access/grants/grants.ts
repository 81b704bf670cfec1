import { sameAsset } from '../../../src-shared/amounts.ts';
import type { Core } from '../../platform/core.ts';
import { idAt, newId, newSecret } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import type { ClientIdentities } from '../clients/client-identity.ts';
import { type Client, clientColumns } from '../clients/clients.ts';
import { appendGrantEvent, type Grant, needsOperator, payingRight } from '../grant-rows.ts';
import { fromWireAmount, type WireAccess } from '../rights/wire-access.ts';
import { hashSecret } from '../secrets.ts';
import { grants } from '../tables.ts';
import type { AccessTokens, IssuedToken } from '../tokens/access-tokens.ts';
import { isFinishUri } from './finish-uri.ts';
import { lapse, readWaiting } from './lapses.ts';
import { placeFor } from './places.ts';

/** A grant request whose signature has been verified. */
export interface GrantRequest {
  client: Client;
  access: WireAccess[];
  /** The wallet address whose ownership the client wants to have proven. */
  subject: string | undefined;
  /** It is undefined when the client cannot send a person to a page. */
  interact: { finish: { uri: string; nonce: string } | undefined } | undefined;
  /** The URL to which the client sent the grant request, as the client signed it. */
  endpoint: string;
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
  | 'too_many_waiting';

/** The id and the token with which the client continues the grant request. */
export interface Continuation {
  id: string;
  token: string;
}

export type GrantAnswer =
  | { kind: 'issued'; token: IssuedToken; continuation: Continuation }
  | { kind: 'pending'; interaction: { id: string; nonce: string }; serverNonce: string; continuation: Continuation };

/** How long a grant request waits before anybody opens its page. Opening the page gives the operator more time. */
const UNOPENED_MS = 5 * 60_000;

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: Pick<WalletAddresses, 'byUrl'>;
  identities: ClientIdentities;
  tokens: AccessTokens;
}

/** Takes grant requests. It gives at once what needs nobody's consent, and stores the others for the operator. */
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
    if (!interactive) return ok(await this.#issue(request));
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

  async #issue(request: GrantRequest): Promise<GrantAnswer> {
    const now = this.#parts.clock.now();
    const { grant, continuation } = newGrant(request, now);
    const issuedGrant: Grant = { ...grant, state: 'issued', granted: request.access, decidedAt: now };
    const fresh = this.#parts.tokens.fresh();
    const token = await this.#parts.database.write(async (tx) => {
      await tx.insert(grants).values(issuedGrant);
      await appendGrantEvent(tx, 'grant.issued', issuedGrant, {}, now);
      return await this.#parts.tokens.issueIn(tx, issuedGrant, fresh, now);
    });
    return { kind: 'issued', token, continuation };
  }

  async #ask(
    request: GrantRequest,
    clientName: string | null,
    account: WalletAddress | undefined,
  ): Promise<Result<GrantAnswer, GrantRequestProblem>> {
    const now = this.#parts.clock.now();
    const { grant, continuation } = newGrant(request, now);
    const interaction = { id: newId(), nonce: newSecret() };
    const serverNonce = newSecret(16);
    const pending: Grant = {
      ...grant,
      interactive: true,
      clientName,
      walletAddressId: account?.id ?? null,
      finishUri: request.interact?.finish?.uri ?? null,
      finishNonce: request.interact?.finish?.nonce ?? null,
      serverNonce,
      interactionId: interaction.id,
      interactionNonceHash: hashSecret(interaction.nonce),
      lapsesAt: now + UNOPENED_MS,
    };
    return await this.#parts.database.write(async (tx): Promise<Result<GrantAnswer, GrantRequestProblem>> => {
      const place = placeFor(pending.clientId, await readWaiting(tx, now));
      if (place === undefined) return refuse('too_many_waiting');
      await lapse(tx, place, now);
      await tx.insert(grants).values(pending);
      await appendGrantEvent(tx, 'grant.requested', pending, {}, now);
      return ok({ kind: 'pending', interaction, serverNonce, continuation });
    });
  }
}

function newGrant({ client, access, subject, endpoint }: GrantRequest, now: number): { grant: Grant; continuation: Continuation } {
  const continuation = { id: newId(), token: newSecret() };
  const grant: Grant = {
    id: idAt(now),
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
    continuationId: continuation.id,
    continuationHash: hashSecret(continuation.token),
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
  return { grant, continuation };
}
