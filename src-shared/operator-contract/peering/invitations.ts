import { MAX_MOVED } from '../../amounts.ts';
import { INVITATION_PROBLEMS } from '../../peering/invitation-problems.ts';
import { TEST_FINDINGS, TEST_OUTCOMES } from '../../peering/test-findings.ts';
import { owner, readers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { Peer, PeerTest } from '../peers.ts';
import { AssetValue, Id, RequestId, Units } from '../values.ts';

const Limit = Units.min(0n).max(MAX_MOVED);
/** Who somebody is, in words that the other operator reads. */
const Introduction = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u);
const Code = z.string().trim().min(1).max(2_000);

/** An invitation of this node that nobody has used yet. */
export const Invitation = z.object({
  id: Id,
  ...AssetValue.shape,
  /** The most that the other node may owe this one. */
  creditLimit: Units,
  introduction: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
});
export type Invitation = z.infer<typeof Invitation>;

/** An invitation of another node that this one has accepted, and that has not led to a peer yet. */
export const Acceptance = z.object({
  id: Id,
  /** The public origin of the node that invites. */
  origin: z.string(),
  name: z.string(),
  ...AssetValue.shape,
  state: z.enum(['under_way', 'failed']),
  /** Why it failed, or why the last try did. */
  problem: z.enum(INVITATION_PROBLEMS).nullable(),
  createdAt: z.date(),
});
export type Acceptance = z.infer<typeof Acceptance>;

/** What a code stands for. The node that invites has said it, and nobody vouches for its words. */
const ReadInvitation = z.object({
  /** The public origin of the node that invites. */
  origin: z.string(),
  introduction: z.string(),
  ...AssetValue.shape,
  /** The most that this node may owe the other one. */
  theirLimit: Units,
  expiresAt: z.date(),
  /** Whether an account of this node has the currency. */
  hasAccount: z.boolean(),
});
export type ReadInvitation = z.infer<typeof ReadInvitation>;

/** What a peer has found that was asked to test its way to this node. `not_asked`: it did not answer. */
export const BackTest = z.object({
  outcome: z.enum([...TEST_OUTCOMES, 'not_asked']),
  finding: z.enum([...TEST_FINDINGS, 'other_currency']).nullable(),
});
export type BackTest = z.infer<typeof BackTest>;

const notOpen = { NOT_OPEN: { status: 409, message: texts.invitationNotOpen } };
/** Why a code leads to no peer. */
const problem = {
  INVITATION: { status: 409, message: texts.invitationProblem, data: z.object({ problem: z.enum(INVITATION_PROBLEMS) }) },
};

export const invitations = {
  /** The invitations that can still be used, and the acceptances that have not led to a peer. */
  list: reads(readers, 'The invitations of this node that can still be used, and those of others that are being accepted.')
    .route({ method: 'GET', path: '/peers/invitations' })
    .output(z.object({ given: z.array(Invitation), accepted: z.array(Acceptance) })),
  create: does(
    owner,
    'peers',
    'peer.invited',
    'Invites another node to become a peer. The answer has the code, which the other operator pastes.',
  )
    .route({ method: 'POST', path: '/peers/invitations', successStatus: 201 })
    .input(z.object({ requestId: RequestId, ...AssetValue.shape, creditLimit: Limit, introduction: Introduction }))
    .errors({ MADE_BEFORE: { status: 409, message: texts.invitationMadeBefore } })
    .output(z.object({ invitation: Invitation, code: z.string() })),
  changeLimit: does(
    owner,
    'peers',
    'peer.invitation_changed',
    'Changes what the other node may owe this one, before the invitation is used.',
  )
    .route({ method: 'PATCH', path: '/peers/invitations/{id}' })
    .input(z.object({ id: Id, creditLimit: Limit }))
    .errors(notOpen)
    .output(Invitation),
  cancel: does(owner, 'peers', 'peer.invitation_changed', 'Takes an invitation back that nobody has used.')
    .route({ method: 'DELETE', path: '/peers/invitations/{id}' })
    .input(z.object({ id: Id }))
    .errors(notOpen)
    .output(Invitation),
  /** Asks the node that invites what a code stands for. */
  read: reads(owner, 'Asks the node that invites what a code stands for. Nothing changes.')
    .route({ method: 'POST', path: '/peers/invitations/read' })
    .input(z.object({ code: Code }))
    .errors(problem)
    .output(ReadInvitation),
  accept: does(
    owner,
    'peers',
    'peer.invitation_accepted',
    'Accepts an invitation. The two nodes exchange their addresses and tokens by themselves.',
  )
    .route({ method: 'POST', path: '/peers/invitations/accept' })
    .input(
      z.object({
        code: Code,
        /** The terms as they were read. */
        terms: z.object({ ...AssetValue.shape, theirLimit: Limit }),
        /** The most that the other node may owe this one. */
        creditLimit: Limit,
        /** What the peer is called here. */
        name: z.string().trim().min(1).max(100),
        introduction: Introduction,
      }),
    )
    .errors(problem)
    .output(z.object({ peer: Peer })),
  /** Sends a packet without money, and has the peer send one. */
  testBothWays: reads(owner, 'Sends a packet without money to a peer, and has the peer send one.')
    .route({ method: 'POST', path: '/peers/{id}/test-both-ways' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchPeer } })
    .output(z.object({ there: PeerTest, back: BackTest })),
  /** Renews the tokens of both directions. Packets go on meanwhile. */
  renewTokens: does(owner, 'peers', 'peer.changed', 'Renews the tokens of a peer in both directions, while packets go on.')
    .route({ method: 'POST', path: '/peers/{id}/tokens' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchPeer },
      BY_HAND: { status: 409, message: texts.tokensByHand },
      PEER_UNREACHABLE: { status: 409, message: texts.tokensUnderWay },
    })
    .output(z.object({ state: z.enum(['done', 'under_way']) })),
};
