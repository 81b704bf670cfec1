import { createHmac } from 'node:crypto';
import { and, asc, eq, gt, or } from 'drizzle-orm';
import type { Asset } from '../../../src-shared/amounts.ts';
import { type InvitationProblem, isInvitationProblem } from '../../../src-shared/peering/invitation-problems.ts';
import { readInvitationCode } from '../../../src-shared/typed-input/invitation-code.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { newId } from '../../platform/ids.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { insertPeer } from '../peer-registry.ts';
import { hashToken } from '../peer-tokens.ts';
import { isLivingPeer, peers } from '../tables.ts';
import type { InvitationParts } from './given-invitations.ts';
import { AcceptAnswer, type ConfirmAnswer, type ConfirmBody, ReadAnswer } from './messages.ts';
import { agreedPeer, conflictOf, endpointAt, isPeerAt } from './new-peer-row.ts';
import { askNode, type RequestProblem } from './peer-requests.ts';
import { peerAcceptances } from './tables.ts';

/** This node tries for this long to reach the node that invites, in milliseconds: a day more than a code lives. */
const GIVEN_UP_MS = 2 * 24 * 60 * 60_000;
/** A failed acceptance stays in the list for this long, in milliseconds. */
const TOLD_MS = 24 * 60 * 60_000;

/** An acceptance as it is stored. */
export type Acceptance = typeof peerAcceptances.$inferSelect;

/** The content of an invitation, which the operator reads before accepting. */
interface ReadInvitation extends Asset {
  /** The public origin of the node that invites, and its operator's words about themselves. */
  origin: string;
  introduction: string;
  /** The most that this node may owe the other one, in smallest units. */
  theirLimit: bigint;
  expiresAt: number;
  /** Whether an account of this node has the currency. Without one, payments are exchanged. */
  hasAccount: boolean;
}

interface Accepting {
  code: string;
  /** The terms as the operator has read them. */
  terms: Asset & { theirLimit: bigint };
  /** The most that the other node may owe this one, in smallest units. */
  creditLimit: bigint;
  /** The operator's name for the peer, and the operator's own name, which the other one reads. */
  name: string;
  introduction: string;
}

interface Parts extends InvitationParts {
  /** The decimal places of the accounts of this node in a currency. */
  accountScales: (assetCode: string) => Promise<readonly number[]>;
}

/** The outcome of a step: a peer, a problem that may pass, or one that will not. */
type Step = { state: 'done' } | { state: 'under_way' | 'failed'; problem: InvitationProblem };

/** The invitations of other nodes that the operator of this node accepts (decisions.md#D-160). */
export class AcceptedInvitations {
  readonly #parts: Parts;
  readonly #key: Buffer;
  /** The acceptances of which this process takes a step now. */
  readonly #underWay = new Map<string, Promise<Acceptance>>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#key = parts.secrets.derive('peer-acceptances');
  }

  /** Asks the node that invites what a code stands for. It changes nothing at either node. */
  async read(code: string): Promise<Result<ReadInvitation, InvitationProblem>> {
    const known = this.#understand(code);
    if (!known.ok) return known;
    const { origin, secret } = known.value;
    const answer = await askNode(this.#parts.http, `${endpointAt(origin)}/invitations/read`, {
      ...{ body: { secret }, answer: ReadAnswer, pool: 'money' },
    });
    if (!answer.ok) return refuse(problemOf(answer.error));
    const { standing, introduction, assetCode, assetScale, creditLimit, expiresAt } = answer.value;
    if (standing !== 'open') return refuse(standing);
    const asset = { assetCode, assetScale };
    const scales = await this.#scalesOf(assetCode);
    if (scales.known.length > 0 && !scales.known.includes(assetScale)) return refuse('other_currency');
    return ok({
      ...{ ...asset, origin, introduction, theirLimit: BigInt(creditLimit) },
      ...{ expiresAt: Date.parse(expiresAt), hasAccount: scales.ofAccounts.includes(assetScale) },
    });
  }

  /**
   * Accepts an invitation. The same code again at the same node continues the same acceptance, and leads to the same
   * peer with the same tokens.
   */
  async accept(accepting: Accepting): Promise<Result<Acceptance, InvitationProblem>> {
    const known = this.#understand(accepting.code);
    if (!known.ok) return known;
    const begun = await this.#begin(known.value, accepting);
    if (!begun.ok) return begun;
    failPoint('peering-step');
    const { state, problem, ...rest } = await this.continue(begun.value);
    if (state === 'done') return ok({ ...rest, state, problem });
    return refuse(isInvitationProblem(problem) ? problem : 'unreachable');
  }

  /**
   * Answers the call back of the node that invites: both tell their addresses and tokens. It is undefined for an
   * unknown nonce.
   */
  async confirm({ nonce, ilpAddress, token }: ConfirmBody): Promise<ConfirmAnswer | undefined> {
    const { database, seal, firstTokens, nodeAddress } = this.#parts;
    const nonceHash = hashToken(nonce);
    // Anybody may ask. Who knows no nonce takes no turn from those who write.
    if ((await underWayBy(database.read, nonceHash)) === undefined) return undefined;
    const confirmed = await database.write(async (tx) => {
      const found = await underWayBy(tx, nonceHash);
      if (found === undefined) return undefined;
      await tx
        .update(peerAcceptances)
        .set({ ilpAddress, outgoingToken: seal.seal(token, found.id) })
        .where(eq(peerAcceptances.id, found.id));
      return found;
    });
    failPoint('peering-step');
    if (confirmed === undefined) return undefined;
    const { id, introduction, creditLimit } = confirmed;
    return { ilpAddress: nodeAddress, token: firstTokens.of(id), introduction, creditLimit: creditLimit.toString() };
  }

  /** Lists the acceptances that are under way, and those that have failed lately, the oldest first. */
  async list(): Promise<Acceptance[]> {
    const { database, clock } = this.#parts;
    const failedLately = and(eq(peerAcceptances.state, 'failed'), gt(peerAcceptances.createdAt, clock.now() - TOLD_MS));
    return await database.read
      .select()
      .from(peerAcceptances)
      .where(or(eq(peerAcceptances.state, 'under_way'), failedLately))
      .orderBy(asc(peerAcceptances.createdAt), asc(peerAcceptances.id))
      .limit(100);
  }

  /** The acceptances that the node is to continue. */
  async unfinished(): Promise<Acceptance[]> {
    return await this.#parts.database.read.select().from(peerAcceptances).where(eq(peerAcceptances.state, 'under_way')).limit(100);
  }

  /** Takes the next steps of an acceptance, until one has to wait. Calls for the same acceptance share a step. */
  async continue(acceptance: Acceptance): Promise<Acceptance> {
    const { id } = acceptance;
    const running = this.#underWay.get(id) ?? this.#step(acceptance).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, running);
    return await running;
  }

  /** Reads a code, as far as that needs no other node. */
  #understand(code: string): Result<{ origin: string; secret: string }, InvitationProblem> {
    const read = readInvitationCode(code);
    if (read === 'unknown') return refuse('no_code');
    if (read === 'broken') return refuse('broken_code');
    if (this.#parts.urls.origins.includes(read.origin)) return refuse('same_node');
    return ok({ origin: read.origin, secret: Buffer.from(read.secret).toString('base64url') });
  }

  /** Names the acceptance of a code at this node. Nobody else can know the name before this node tells it. */
  #nonceOf(secret: string): string {
    return createHmac('sha256', this.#key).update(secret).digest('base64url');
  }

  /**
   * The numbers of decimal places with which this node knows a currency: from its accounts, and from its peers as well.
   */
  async #scalesOf(assetCode: string): Promise<{ ofAccounts: readonly number[]; known: readonly number[] }> {
    const ofAccounts = await this.#parts.accountScales(assetCode);
    const ofPeers = await this.#parts.database.readAside
      .selectDistinct({ scale: peers.assetScale })
      .from(peers)
      .where(and(isLivingPeer, eq(peers.assetCode, assetCode)));
    return { ofAccounts, known: [...ofAccounts, ...ofPeers.map(({ scale }) => scale)] };
  }

  async #begin(
    { origin, secret }: { origin: string; secret: string },
    { terms, creditLimit, name, introduction }: Accepting,
  ): Promise<Result<Acceptance, InvitationProblem>> {
    const { database, clock, seal } = this.#parts;
    const { assetCode, assetScale, theirLimit: debtLimit } = terms;
    const [id, createdAt] = [newId(), clock.now()];
    const secretHash = hashToken(secret);
    return await database.write(async (tx): Promise<Result<Acceptance, InvitationProblem>> => {
      const before = await bySecret(tx, secretHash);
      // A code that was accepted before is not accepted on other terms.
      if (before !== undefined && before.state !== 'failed') return ok(before);
      if (await isPeerAt(tx, origin, terms)) return refuse('already_peers');
      const row: Acceptance = {
        ...{ id: before?.id ?? id, secretHash, nonceHash: hashToken(this.#nonceOf(secret)), origin, name, introduction },
        ...{ assetCode, assetScale, creditLimit, debtLimit, ilpAddress: null, outgoingToken: null },
        ...{ state: 'under_way', problem: null, createdAt, secret: seal.seal(secret, secretHash) },
      };
      if (before !== undefined) await tx.delete(peerAcceptances).where(eq(peerAcceptances.id, before.id));
      await tx.insert(peerAcceptances).values(row);
      const body = { name, assetCode, assetScale: String(assetScale), creditLimit: creditLimit.toString() };
      await appendEvent(tx, { type: 'peer.invitation_accepted', subject: row.id, body: { ...body, origin }, at: createdAt });
      return ok(row);
    });
  }

  async #step(acceptance: Acceptance): Promise<Acceptance> {
    if (acceptance.state !== 'under_way') return acceptance;
    const asked = await this.#ask(acceptance);
    failPoint('peering-step');
    const ended = await this.#end(acceptance, asked);
    failPoint('peering-step');
    if (ended.state === 'done') await this.#parts.directory.reload();
    return ended;
  }

  async #ask({ origin, secret: sealed, secretHash, createdAt, ...terms }: Acceptance): Promise<Step> {
    const { seal, urls, http, clock } = this.#parts;
    const secret = seal.open(sealed, secretHash);
    if (secret === undefined) return { state: 'failed', problem: 'unknown' };
    const { assetCode, assetScale, debtLimit } = terms;
    const answer = await askNode(http, `${endpointAt(origin)}/invitations/accept`, {
      ...{ answer: AcceptAnswer, pool: 'money' },
      body: { secret, nonce: this.#nonceOf(secret), origin: urls.origin, assetCode, assetScale, creditLimit: debtLimit.toString() },
    });
    if (answer.ok) {
      const { outcome } = answer.value;
      if (outcome === 'accepted') return { state: 'done' };
      return { state: outcome === 'not_called_back' ? 'under_way' : 'failed', problem: outcome };
    }
    // Even a 404 may come from something in front of the other node, which may have taken the acceptance before.
    const isLate = clock.now() - createdAt > GIVEN_UP_MS;
    return { state: isLate ? 'failed' : 'under_way', problem: problemOf(answer.error) };
  }

  /** Stores the outcome of a step: one write makes the peer and ends the acceptance. */
  async #end({ id }: Acceptance, step: Step): Promise<Acceptance> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    return await database.write(async (tx) => {
      const [now] = await tx.select().from(peerAcceptances).where(eq(peerAcceptances.id, id));
      if (now?.state !== 'under_way') return now ?? Promise.reject(new Error('an acceptance is gone'));
      const result = step.state === 'done' ? await this.#makePeer(tx, now, at) : step;
      const ended = result.state !== 'under_way' && { secret: '', outgoingToken: null };
      const changed = { state: result.state, problem: result.state === 'done' ? null : result.problem, ...ended };
      await tx.update(peerAcceptances).set(changed).where(eq(peerAcceptances.id, id));
      return { ...now, ...changed };
    });
  }

  async #makePeer(tx: Tx, acceptance: Acceptance, at: number): Promise<Step> {
    const { seal, firstTokens, nodeAddress } = this.#parts;
    const { id, ilpAddress, outgoingToken, creditLimit } = acceptance;
    const token = outgoingToken === null ? undefined : seal.open(outgoingToken, id);
    // The other node has a peer, and this one has lost what it was told: the books were put back from a copy.
    if (ilpAddress === null || token === undefined) return { state: 'failed', problem: 'used' };
    const peer = agreedPeer({ ...acceptance, ilpAddress, outgoingToken: token, incomingToken: firstTokens.of(id) }, seal, at);
    const conflict = await conflictOf(tx, peer, nodeAddress);
    if (conflict !== undefined) return { state: 'failed', problem: conflict };
    await insertPeer(tx, peer, creditLimit);
    return { state: 'done' };
  }
}

async function underWayBy(reader: Reader, nonceHash: string): Promise<Acceptance | undefined> {
  const isIt = and(eq(peerAcceptances.nonceHash, nonceHash), eq(peerAcceptances.state, 'under_way'));
  const [found] = await reader.select().from(peerAcceptances).where(isIt);
  return found;
}

async function bySecret(tx: Tx, secretHash: string): Promise<Acceptance | undefined> {
  const [found] = await tx.select().from(peerAcceptances).where(eq(peerAcceptances.secretHash, secretHash));
  return found;
}

/** The meaning, for the operator, of a failed request to the node that invites. */
function problemOf(problem: RequestProblem): InvitationProblem {
  switch (problem) {
    case 'not_found':
      return 'unknown';
    case 'busy':
    case 'too_many_requests':
      return 'busy';
    case 'invalid_url':
    case 'scheme_not_allowed':
    case 'address_not_allowed':
      return 'address_not_allowed';
    case 'unreachable':
    case 'timed_out':
      return 'unreachable';
    default:
      return 'no_node';
  }
}
