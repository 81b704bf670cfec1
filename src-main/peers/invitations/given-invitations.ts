import { createHmac } from 'node:crypto';
import { and, asc, eq, gt } from 'drizzle-orm';
import { type Asset, sameAsset } from '../../../src-shared/amounts.ts';
import { writeInvitationCode } from '../../../src-shared/typed-input/invitation-code.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { NodeSecrets } from '../../platform/secrets/node-secrets.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { PeerDirectory } from '../peer-directory.ts';
import { insertPeer } from '../peer-registry.ts';
import { type FirstTokens, hashToken } from '../peer-tokens.ts';
import { type AcceptBody, type AcceptOutcome, ConfirmAnswer, type ReadAnswer } from './messages.ts';
import { agreedPeer, conflictOf, endpointAt } from './new-peer-row.ts';
import { askNode } from './peer-requests.ts';
import { peerAcceptances, peerInvitations } from './tables.ts';

/** How long a code can be used, in milliseconds. */
export const LIFETIME_MS = 24 * 60 * 60_000;
/** The longest time of the call back. It is less than the node that accepts waits for its own answer. */
const CALL_BACK_MS = 3_000;

/** An invitation as it is stored. */
export type Invitation = typeof peerInvitations.$inferSelect;

interface NewInvitation extends Asset {
  /** The id of the intention. */
  id: string;
  /** The most that the other node may owe this one, in smallest units. */
  creditLimit: bigint;
  introduction: string;
}

export interface InvitationParts extends Pick<Core, 'database' | 'clock' | 'log' | 'urls'> {
  secrets: NodeSecrets;
  /** Seals the tokens of peers. */
  seal: Seal;
  firstTokens: FirstTokens;
  directory: Pick<PeerDirectory, 'reload'>;
  http: OutboundHttp;
  nodeAddress: string;
}

/** The invitations that this node gives to others (decisions.md#D-160). */
export class GivenInvitations {
  readonly #parts: InvitationParts;
  readonly #key: Buffer;

  constructor(parts: InvitationParts) {
    this.#parts = parts;
    this.#key = parts.secrets.derive('peer-invitations');
  }

  /**
   * Makes an invitation with its code. The same id again returns the same code, so that an operator whose answer was
   * lost can ask for it again.
   */
  async create(wanted: NewInvitation): Promise<Result<{ invitation: Invitation; code: string }, 'added_before'>> {
    const { database, clock, urls } = this.#parts;
    const secret = createHmac('sha256', this.#key).update(wanted.id).digest().subarray(0, 16);
    const at = clock.now();
    const { id, assetCode, assetScale, creditLimit, introduction } = wanted;
    const fresh: Invitation = {
      ...{ id, assetCode, assetScale, creditLimit, introduction, state: 'open', acceptanceHash: null },
      ...{ secretHash: hashToken(secret.toString('base64url')), createdAt: at, expiresAt: at + LIFETIME_MS },
    };
    const invitation = await database.write(async (tx) => {
      const before = await byId(tx, id);
      if (before !== undefined) return before;
      await tx.insert(peerInvitations).values(fresh);
      const body = { name: introduction, assetCode, assetScale: String(assetScale), creditLimit: creditLimit.toString() };
      await appendEvent(tx, { type: 'peer.invited', subject: id, body, at });
      return fresh;
    });
    if (invitation.secretHash !== fresh.secretHash) return refuse('added_before');
    return ok({ invitation, code: writeInvitationCode({ origin: urls.origin, secret }) });
  }

  /** Lists the invitations that can still be used, the oldest first. */
  async open(): Promise<Invitation[]> {
    const { database, clock } = this.#parts;
    return await database.read
      .select()
      .from(peerInvitations)
      .where(and(eq(peerInvitations.state, 'open'), gt(peerInvitations.expiresAt, clock.now())))
      .orderBy(asc(peerInvitations.createdAt), asc(peerInvitations.id))
      .limit(100);
  }

  /** Changes the limit of an open invitation. A reader of the old limit is asked to read it again. */
  async changeLimit(id: string, creditLimit: bigint): Promise<Result<Invitation, 'not_open'>> {
    return await this.#change(id, { creditLimit }, { creditLimit: creditLimit.toString() });
  }

  /** Takes an open invitation back. */
  async cancel(id: string): Promise<Result<Invitation, 'not_open'>> {
    return await this.#change(id, { state: 'cancelled' }, { state: 'cancelled' });
  }

  /** Finds the invitation of a secret, by the secret's hash: a look-up tells nothing about how near a guess came. */
  async bySecret(secret: string): Promise<Invitation | undefined> {
    const { read } = this.#parts.database;
    const [found] = await read
      .select()
      .from(peerInvitations)
      .where(eq(peerInvitations.secretHash, hashToken(secret)));
    return found;
  }

  /** The part of an invitation that everybody with the code may read. */
  terms(invitation: Invitation): ReadAnswer {
    const { state, introduction, assetCode, assetScale, creditLimit, expiresAt } = invitation;
    const isLate = state === 'open' && this.#parts.clock.now() >= expiresAt;
    return {
      ...{ standing: isLate ? 'expired' : state, introduction, assetCode, assetScale },
      ...{ creditLimit: creditLimit.toString(), expiresAt: new Date(expiresAt).toISOString() },
    };
  }

  /**
   * Lets another node accept. This node calls it back at the origin that it names, so that nobody becomes a peer in the
   * name of another node. One write then makes the peer and uses the invitation up. The same acceptance again gets the
   * same answer.
   */
  async accept(invitation: Invitation, acceptance: AcceptBody): Promise<AcceptOutcome> {
    const { http, firstTokens, nodeAddress, log } = this.#parts;
    const early = this.#refusalOf(invitation, acceptance);
    if (early !== undefined) return early;
    const { nonce, origin } = acceptance;
    // Another acceptance of the same invitation is told another token.
    const token = firstTokens.of(`${invitation.id} ${hashToken(nonce)}`);
    const called = await askNode(http, `${endpointAt(origin)}/invitations/confirm`, {
      ...{ body: { nonce, ilpAddress: nodeAddress, token }, answer: ConfirmAnswer },
      ...{ pool: 'strangers', timeoutMs: CALL_BACK_MS },
    });
    if (!called.ok) {
      log.info({ origin, problem: called.error }, 'a node that accepts an invitation could not be called back');
      return 'not_called_back';
    }
    failPoint('peering-step');
    const outcome = await this.#take(invitation.id, acceptance, called.value, token);
    failPoint('peering-step');
    if (outcome === 'accepted') await this.#parts.directory.reload();
    return outcome;
  }

  async #take(id: string, acceptance: AcceptBody, confirmed: ConfirmAnswer, incomingToken: string): Promise<AcceptOutcome> {
    const { database, clock, seal, nodeAddress } = this.#parts;
    const { origin, assetCode, assetScale } = acceptance;
    const { introduction, ilpAddress, token, creditLimit } = confirmed;
    const at = clock.now();
    const peer = agreedPeer(
      {
        ...{ id, name: nameOf(introduction, origin), origin, ilpAddress, outgoingToken: token, incomingToken, assetCode, assetScale },
        debtLimit: BigInt(creditLimit),
      },
      seal,
      at,
    );
    return await database.write(async (tx): Promise<AcceptOutcome> => {
      const invitation = await byId(tx, id);
      if (invitation === undefined) return 'cancelled';
      const refusal = this.#refusalOf(invitation, acceptance);
      if (refusal !== undefined) return refusal;
      const conflict = await conflictOf(tx, peer, nodeAddress);
      if (conflict !== undefined) return conflict;
      if (!(await this.#goesFirst(tx, origin, acceptance))) return 'both_at_once';
      await tx
        .update(peerInvitations)
        .set({ state: 'used', acceptanceHash: hashToken(acceptance.nonce) })
        .where(eq(peerInvitations.id, id));
      await insertPeer(tx, peer, invitation.creditLimit);
      return 'accepted';
    });
  }

  /**
   * The reason why an acceptance leads no further: `accepted` when it has led to a peer before. It is undefined when it
   * goes on.
   */
  #refusalOf(invitation: Invitation, { nonce, origin, creditLimit, ...asset }: AcceptBody): AcceptOutcome | undefined {
    const { standing } = this.terms(invitation);
    if (standing === 'used') return invitation.acceptanceHash === hashToken(nonce) ? 'accepted' : 'used';
    if (standing !== 'open') return standing;
    if (this.#parts.urls.origins.includes(origin)) return 'same_node';
    return sameAsset(invitation, asset) && invitation.creditLimit === BigInt(creditLimit) ? undefined : 'changed';
  }

  /**
   * Decides between two nodes that accept each other's invitations at the same time: the invitation of the node counts
   * whose origin comes first in the alphabet. Both nodes decide alike (decisions.md#D-161). Part of a write.
   */
  async #goesFirst(tx: Tx, origin: string, { assetCode, assetScale }: Asset): Promise<boolean> {
    const own = and(
      ...[eq(peerAcceptances.state, 'under_way'), eq(peerAcceptances.origin, origin)],
      ...[eq(peerAcceptances.assetCode, assetCode), eq(peerAcceptances.assetScale, assetScale)],
    );
    const [crossing] = await tx.select({ id: peerAcceptances.id }).from(peerAcceptances).where(own).limit(1);
    if (crossing === undefined) return true;
    if (this.#parts.urls.origin >= origin) return false;
    await tx.update(peerAcceptances).set({ state: 'failed', problem: 'both_at_once', secret: '', outgoingToken: null }).where(own);
    return true;
  }

  async #change(
    id: string,
    change: Partial<Pick<Invitation, 'creditLimit' | 'state'>>,
    body: Record<string, string>,
  ): Promise<Result<Invitation, 'not_open'>> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx): Promise<Result<Invitation, 'not_open'>> => {
      const before = await byId(tx, id);
      if (before?.state !== 'open' || before.expiresAt <= at) return refuse('not_open');
      await tx.update(peerInvitations).set(change).where(eq(peerInvitations.id, id));
      const { introduction: name, assetCode, assetScale } = before;
      await appendEvent(tx, {
        ...{ type: 'peer.invitation_changed', subject: id, at },
        body: { name, assetCode, assetScale: String(assetScale), ...body },
      });
      return ok({ ...before, ...change });
    });
  }
}

/** Anybody can call themselves anything. The host is what the call back has proved, so it stands beside the name. */
function nameOf(introduction: string, origin: string): string {
  const host = ` (${new URL(origin).host})`.slice(-60);
  return introduction.slice(0, 100 - host.length) + host;
}

async function byId(tx: Tx, id: string): Promise<Invitation | undefined> {
  const [found] = await tx.select().from(peerInvitations).where(eq(peerInvitations.id, id));
  return found;
}
