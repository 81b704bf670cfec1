import type { BackTest } from '../../src-shared/operator-contract/peering/invitations.ts';
import { TEST_OUTCOMES } from '../../src-shared/peering/test-findings.ts';
import type { OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import type { AcceptedInvitations } from './invitations/accepted-invitations.ts';
import type { GivenInvitations } from './invitations/given-invitations.ts';
import type { OperatorPeers } from './operator-peers.ts';
import type { KnownPeer, PeerDirectory } from './peer-directory.ts';
import type { PeeringAnswer, PeeringBody } from './renewals/messages.ts';
import { askPeer, type TokenRenewals } from './renewals/token-renewals.ts';

interface Parts {
  given: GivenInvitations;
  accepted: AcceptedInvitations;
  renewals: TokenRenewals;
  operator: OperatorPeers;
  directory: Pick<PeerDirectory, 'byId'>;
  http: OutboundHttp;
}

/** What two nodes of this kind say to each other beside the packets: invitations, tests, and the renewal of tokens. */
export class Peering {
  readonly given: GivenInvitations;
  readonly accepted: AcceptedInvitations;
  readonly renewals: TokenRenewals;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.given = parts.given;
    this.accepted = parts.accepted;
    this.renewals = parts.renewals;
  }

  /** Asks a peer to test its way to this node, and tells what it has found. */
  async testBack(peerId: string): Promise<BackTest> {
    const peer = this.#parts.directory.byId(peerId);
    const answer = peer && (await askPeer(this.#parts.http, peer, { ask: 'test' }));
    if (answer?.ok !== true || answer.value.finding === undefined) return { outcome: 'not_asked', finding: null };
    const { outcome, finding } = answer.value;
    const tested = TEST_OUTCOMES.find((one) => one === outcome);
    return tested === undefined ? { outcome: 'not_asked', finding: null } : { outcome: tested, finding };
  }

  /** Answers a peer that has shown a token with this hash. */
  async answer(peer: KnownPeer, tokenHash: string, body: PeeringBody): Promise<PeeringAnswer> {
    if (body.ask === 'renew') return await this.renewals.answer(peer, body);
    if (body.ask === 'switch') return await this.renewals.switch(peer, tokenHash, body);
    const tested = await this.#parts.operator.tryWay(peer.id);
    if (!tested.ok) return { outcome: 'unreachable', finding: 'unknown_peer' };
    const { outcome, finding } = tested.value;
    return { outcome, finding };
  }
}
