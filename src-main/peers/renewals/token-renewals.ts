import { eq } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { newId, newSecret } from '../../platform/ids.ts';
import type { OutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { askNode, type RequestProblem } from '../invitations/peer-requests.ts';
import type { KnownPeer, PeerDirectory, PeerRow } from '../peer-directory.ts';
import { findLiving } from '../peer-registry.ts';
import { hashToken, OVERLAP_MS } from '../peer-tokens.ts';
import { isToContinue, peerRenewals, peers } from '../tables.ts';
import { PeeringAnswer, type PeeringBody } from './messages.ts';

type Renewal = typeof peerRenewals.$inferSelect;
type AnsweredRenewal = Pick<PeeringAnswer, 'outcome' | 'token'>;

/** The reason why tokens were not renewed. `by_hand`: the peer does not renew tokens by itself. */
type RenewalProblem = 'not_found' | 'by_hand' | 'other_renewal' | RequestProblem;

interface Parts extends Pick<Core, 'database' | 'clock'> {
  /** Seals the tokens that this node sends, and those of a renewal. */
  seal: Seal;
  directory: Pick<PeerDirectory, 'reload' | 'byId'>;
  http: Pick<OutboundHttp, 'requestJson'>;
  nodeAddress: string;
}

/**
 * Renews the tokens of both directions between two nodes of this kind, without a moment in which a node refuses a
 * packet (decisions.md#D-163). The node that begins takes a new token before it tells the token. It sends the peer's
 * new token once the peer takes it, and then lets the peer change as well. Each step may be repeated, so the node can
 * be killed between any two of them.
 */
export class TokenRenewals {
  readonly #parts: Parts;
  /** The peers with whom a renewal goes on now, so that two do not go on side by side. */
  readonly #underWay = new Map<string, Promise<Result<Renewal, RenewalProblem>>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Renews the tokens, or continues a renewal that has not come to its end. */
  async renew(peerId: string): Promise<Result<Renewal, RenewalProblem>> {
    const begun = await this.#begin(peerId);
    if (!begun.ok) return begun;
    await this.#parts.directory.reload();
    failPoint('peering-step');
    return await this.continue(begun.value);
  }

  /** The renewals that this node is to continue. */
  async unfinished(): Promise<Renewal[]> {
    return await this.#parts.database.read.select().from(peerRenewals).where(isToContinue).limit(100);
  }

  async continue(renewal: Renewal): Promise<Result<Renewal, RenewalProblem>> {
    const { peerId } = renewal;
    const running = this.#underWay.get(peerId) ?? this.#steps(renewal).finally(() => this.#underWay.delete(peerId));
    this.#underWay.set(peerId, running);
    return await running;
  }

  async #begin(peerId: string): Promise<Result<Renewal, 'not_found'>> {
    const { database, clock, seal } = this.#parts;
    const [id, ownToken, at] = [newId(), newSecret(), clock.now()];
    return await database.write(async (tx): Promise<Result<Renewal, 'not_found'>> => {
      const peer = await findLiving(tx, peerId);
      if (peer === undefined) return refuse('not_found');
      const before = await ofPeer(tx, peerId);
      // What the peer has begun, the peer ends; what this node has begun, goes on.
      if (before !== undefined && before.state !== 'done' && !(before.state === 'answered' && isOver(before, at))) return ok(before);
      const fresh: Renewal = {
        ...{ peerId, id, state: 'proposed', ownToken: seal.seal(ownToken, id), ownTokenHash: hashToken(ownToken), theirToken: null },
        ...{ ...former(before, at), updatedAt: at },
      };
      await store(tx, fresh);
      await appendEvent(tx, { type: 'peer.changed', subject: peerId, body: { name: peer.row.name, tokens: 'renewed' }, at });
      return ok(fresh);
    });
  }

  async #steps(begun: Renewal): Promise<Result<Renewal, RenewalProblem>> {
    const agreed = begun.state === 'proposed' ? await this.#propose(begun) : ok(begun);
    return agreed.ok && agreed.value.state === 'agreed' ? await this.#letSwitch(agreed.value) : agreed;
  }

  async #propose(renewal: Renewal): Promise<Result<Renewal, RenewalProblem>> {
    const { peerId, id, ownToken } = renewal;
    const token = this.#parts.seal.open(ownToken, id);
    // The key of the node has changed since: this renewal cannot go on.
    if (token === undefined) return await this.#ended(renewal, 'other_renewal');
    const answer = await this.#ask(peerId, { ask: 'renew', renewal: id, token });
    if (!answer.ok) return await this.#ended(renewal, answer.error);
    const { outcome, token: theirs } = answer.value;
    if (outcome !== 'token' || theirs === undefined) return await this.#ended(renewal, 'other_renewal');
    const agreed = await this.#agree(renewal, theirs);
    return agreed === undefined ? refuse('not_found') : ok(agreed);
  }

  async #letSwitch(renewal: Renewal): Promise<Result<Renewal, RenewalProblem>> {
    const answer = await this.#ask(renewal.peerId, { ask: 'switch', renewal: renewal.id });
    if (!answer.ok) return answer;
    if (answer.value.outcome !== 'switched') return refuse('other_renewal');
    const finished = await this.#finish(renewal);
    return finished === undefined ? refuse('not_found') : ok(finished);
  }

  /**
   * Ends a renewal of which nothing has changed so far: the peer cannot renew its tokens by itself, or wants its own
   * renewal to go on.
   */
  async #ended(renewal: Renewal, problem: RenewalProblem): Promise<Result<never, RenewalProblem>> {
    const isByHand =
      problem === 'by_hand' || problem === 'not_found' || problem === 'refused' || problem === 'garbage' || problem === 'not_json';
    if (!isByHand && problem !== 'other_renewal') return refuse(problem);
    const { database, directory } = this.#parts;
    await database.write(async (tx) => {
      const now = await ofPeer(tx, renewal.peerId);
      if (now?.id === renewal.id && now.state === 'proposed') await tx.delete(peerRenewals).where(eq(peerRenewals.peerId, renewal.peerId));
    });
    await directory.reload();
    return refuse(isByHand ? 'by_hand' : problem);
  }

  /** Lets this node send the token from now on that the peer has made. The peer takes it already. */
  async #agree({ peerId, id }: Renewal, token: string): Promise<Renewal | undefined> {
    const { seal, clock } = this.#parts;
    const theirToken = seal.seal(token, id);
    const outgoingToken = seal.seal(token, peerId);
    return await this.#advance(peerId, id, 'proposed', async (tx, { row }, renewal) => {
      await tx.update(peers).set({ outgoingToken, updatedAt: clock.now() }).where(eq(peers.id, row.id));
      return { ...renewal, state: 'agreed', theirToken };
    });
  }

  /**
   * Ends a renewal: the peer sends its new token. This node takes the former one for a while, because packets may be
   * under way with it.
   */
  async #finish({ peerId, id }: Renewal): Promise<Renewal | undefined> {
    const at = this.#parts.clock.now();
    return await this.#advance(peerId, id, 'agreed', async (tx, { row }, renewal) => {
      await tx.update(peers).set({ incomingTokenHash: renewal.ownTokenHash, updatedAt: at }).where(eq(peers.id, row.id));
      return { ...renewal, state: 'done', theirToken: null, formerTokenHash: row.incomingTokenHash, formerEndsAt: at + OVERLAP_MS };
    });
  }

  /** Answers a peer that has begun a renewal, and asks with a token that this node takes. */
  async answer(peer: KnownPeer, wanted: PeeringBody & { ask: 'renew' }): Promise<AnsweredRenewal> {
    const { database, clock, seal } = this.#parts;
    const { renewal: id, token } = wanted;
    const [ownToken, at] = [newSecret(), clock.now()];
    const renewal = await database.write(async (tx): Promise<Renewal | undefined> => {
      const living = await findLiving(tx, peer.id);
      if (living === undefined) return undefined;
      const before = await ofPeer(tx, peer.id);
      if (before?.id === id && (before.state === 'answered' || before.state === 'done')) return before;
      if (before !== undefined && !this.#givesWay(before, living.row, at)) return undefined;
      const fresh: Renewal = {
        ...{ peerId: peer.id, id, state: 'answered', ownToken: seal.seal(ownToken, id), ownTokenHash: hashToken(ownToken) },
        ...{ theirToken: seal.seal(token, id), ...former(before, at), updatedAt: at },
      };
      await store(tx, fresh);
      await appendEvent(tx, { type: 'peer.renewal_continued', subject: peer.id, body: { name: living.row.name, tokens: 'renewed' }, at });
      return fresh;
    });
    if (renewal === undefined) return { outcome: 'other_renewal' };
    await this.#parts.directory.reload();
    failPoint('peering-step');
    const own = seal.open(renewal.ownToken, renewal.id);
    return own === undefined ? { outcome: 'other_renewal' } : { outcome: 'token', token: own };
  }

  /**
   * Changes to the new token, because the peer sends its new one already.
   * @param tokenHash the hash of the token with which the peer asks. It must be the new one, so that an old message
   * which the network delivers once more changes nothing.
   */
  async switch(peer: KnownPeer, tokenHash: string, { renewal: id }: PeeringBody & { ask: 'switch' }): Promise<AnsweredRenewal> {
    const at = this.#parts.clock.now();
    const { seal } = this.#parts;
    const renewal = await this.#advance(peer.id, id, 'answered', async (tx, { row }, found) => {
      const token = found.theirToken === null ? undefined : seal.open(found.theirToken, id);
      if (token === undefined || tokenHash !== found.ownTokenHash) return found;
      const outgoingToken = seal.seal(token, row.id);
      await tx.update(peers).set({ outgoingToken, incomingTokenHash: found.ownTokenHash, updatedAt: at }).where(eq(peers.id, row.id));
      return { ...found, state: 'done', theirToken: null, formerTokenHash: row.incomingTokenHash, formerEndsAt: at + OVERLAP_MS };
    });
    return { outcome: renewal?.state === 'done' && renewal.id === id ? 'switched' : 'other_renewal' };
  }

  /**
   * Whether a renewal makes room for one that the peer begins. When both nodes begin at once, the one goes on whose ILP
   * address comes first. A renewal that the peer has begun before and never ended is over after a while.
   */
  #givesWay(before: Renewal, peer: PeerRow, at: number): boolean {
    if (before.state === 'done') return true;
    if (before.state === 'proposed') return this.#parts.nodeAddress > peer.ilpAddress;
    return before.state === 'answered' && isOver(before, at);
  }

  /**
   * Takes a renewal from one state to the next, in one write. It does not take a step again.
   * @returns the renewal afterwards. It is undefined when the peer was removed or the operator has ended the renewal.
   */
  async #advance(
    peerId: string,
    id: string,
    from: Renewal['state'],
    step: (tx: Tx, peer: { row: PeerRow }, renewal: Renewal) => Promise<Renewal>,
  ): Promise<Renewal | undefined> {
    const { database, clock, directory } = this.#parts;
    const at = clock.now();
    const after = await database.write(async (tx) => {
      const [peer, renewal] = [await findLiving(tx, peerId), await ofPeer(tx, peerId)];
      if (peer === undefined || renewal === undefined) return undefined;
      if (renewal.id !== id || renewal.state !== from) return renewal;
      const next = { ...(await step(tx, peer, renewal)), updatedAt: at };
      await store(tx, next);
      await appendEvent(tx, { type: 'peer.renewal_continued', subject: peerId, body: { name: peer.row.name, tokens: 'renewed' }, at });
      return next;
    });
    await directory.reload();
    failPoint('peering-step');
    return after;
  }

  async #ask(peerId: string, body: PeeringBody): Promise<Result<PeeringAnswer, RenewalProblem>> {
    const peer = this.#parts.directory.byId(peerId);
    return peer === undefined ? refuse('not_found') : await askPeer(this.#parts.http, peer, body);
  }
}

/** Asks a peer something beside the packets. `by_hand`: the peer is no node of this kind. */
export async function askPeer(
  http: Pick<OutboundHttp, 'requestJson'>,
  { endpoint, token }: KnownPeer,
  body: PeeringBody,
): Promise<Result<PeeringAnswer, RenewalProblem>> {
  if (!endpoint.endsWith('/ilp') || token === undefined) return refuse('by_hand');
  return await askNode(http, `${endpoint}/peering`, { body, answer: PeeringAnswer, pool: 'money', token });
}

async function ofPeer(tx: Tx, peerId: string): Promise<Renewal | undefined> {
  const [found] = await tx.select().from(peerRenewals).where(eq(peerRenewals.peerId, peerId));
  return found;
}

async function store(tx: Tx, renewal: Renewal): Promise<void> {
  await tx.insert(peerRenewals).values(renewal).onConflictDoUpdate({ target: peerRenewals.peerId, set: renewal });
}

/**
 * Whether nobody has gone on with a renewal for a while, so that a repetition of its messages comes no more. A time far
 * ahead was stored by a clock that was wrong.
 */
const isOver = ({ updatedAt }: Renewal, at: number): boolean => Math.abs(at - updatedAt) > OVERLAP_MS;

/** The former token of an earlier renewal, if this node still takes it. */
const former = (before: Renewal | undefined, at: number): Pick<Renewal, 'formerTokenHash' | 'formerEndsAt'> =>
  before?.state === 'done' && (before.formerEndsAt ?? 0) > at
    ? { formerTokenHash: before.formerTokenHash, formerEndsAt: before.formerEndsAt }
    : { formerTokenHash: null, formerEndsAt: null };
