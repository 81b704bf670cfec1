import { z } from 'zod';
import { MAX_MOVED } from '../amounts.ts';
import { ILP_ADDRESS, MAX_NODE_ADDRESS } from '../ilp-address.ts';
import { LINK_PROBLEMS } from '../link-problems.ts';
import { does, reads } from './operation.ts';
import { AssetValue, Id, MovedValue, RequestId } from './values.ts';

const IlpPrefix = z.string().max(MAX_NODE_ADDRESS).regex(ILP_ADDRESS);
/** A bearer token as it may stand in a header. */
const PeerToken = z.string().regex(/^[A-Za-z0-9._~+/=-]{16,512}$/);
const Limit = z.bigint().min(0n).max(MAX_MOVED);

/** Another node that takes and brings ILP packets, in one asset. */
export const Peer = z.object({
  id: Id,
  name: z.string(),
  state: z.enum(['active', 'paused', 'removed']),
  ...AssetValue.shape,
  ilpAddress: z.string(),
  /** Further address prefixes that it leads to. */
  routes: z.array(z.string()),
  /** Where packets for it go. */
  endpoint: z.url(),
  /** More than zero: this node owes it that much; less: it owes this node. In smallest units. */
  position: z.bigint(),
  /** Sent to it and not answered yet. */
  inFlight: z.bigint(),
  /** The most it may owe this node. */
  creditLimit: z.bigint(),
  /** The most this node may owe it; null for no limit. */
  debtLimit: z.bigint().nullable(),
  maxPacketAmount: z.bigint().nullable(),
  /** Whether it answers a repeated packet as the first time (paydesk does, the reference implementation does not). */
  deduplicates: z.boolean(),
  /** When it last sent a packet or answered one since the node started. */
  lastSeenAt: z.date().nullable(),
  /** Why it gave no answer to the last packet; null when it did. */
  lastProblem: z.enum(LINK_PROBLEMS).nullable(),
  createdAt: z.date(),
});
export type Peer = z.infer<typeof Peer>;

const tested = { outcome: z.enum(['good', 'refused', 'unreachable']), milliseconds: z.number().int() };
/** The currency in which a node keeps its account with a peer, as it says: it may be none that this node knows. */
const PeerCurrency = AssetValue.extend({ assetScale: z.number().int().min(0).max(255) });

/** How the test of a peer went. */
export const PeerTest = z.discriminatedUnion('finding', [
  z.object({
    /** `clock_differs`: by its clock every packet comes too late. `takes_nothing`: it refuses for the moment. */
    finding: z.enum(['accepted', 'clock_differs', 'takes_nothing', ...LINK_PROBLEMS]),
    ...tested,
  }),
  z.object({
    finding: z.literal('other_currency'),
    ours: AssetValue,
    /** Null when what it says is no currency. */
    theirs: PeerCurrency.nullable(),
    ...tested,
  }),
]);
export type PeerTest = z.infer<typeof PeerTest>;

const settings = {
  name: z.string().trim().min(1).max(100),
  ilpAddress: IlpPrefix,
  routes: z.array(IlpPrefix).max(50),
  endpoint: z.url().max(2048),
  creditLimit: Limit,
  debtLimit: Limit.nullable(),
  maxPacketAmount: MovedValue.nullable(),
  deduplicates: z.boolean(),
};
const notFound = { NOT_FOUND: { status: 404, message: 'There is no such peer.' } };
const invalid = {
  INVALID_ENDPOINT: { status: 400, message: 'Its address must begin with https:// and lie on the public internet.' },
  ADDRESS_TAKEN: { status: 409, message: 'Another peer with this currency has this address already.' },
  OWN_ADDRESS: { status: 400, message: 'An ILP address or route is that of this node itself.' },
};
/** The token it must send, shown this one time. */
const WithToken = z.object({ peer: Peer, incomingToken: z.string() });

export const peers = {
  list: reads.route({ method: 'GET', path: '/peers' }).output(z.array(Peer)),
  /** What the other side needs to add this node: its ILP address and endpoint. */
  self: reads.route({ method: 'GET', path: '/peers/self' }).output(z.object({ ilpAddress: z.string(), endpoint: z.url() })),
  add: does('peers', 'peer.added')
    .route({ method: 'POST', path: '/peers', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        ...AssetValue.shape,
        ...settings,
        /** The bearer token it wants from this node. */
        outgoingToken: PeerToken,
        /** The bearer token it will send; made by the node when absent. */
        incomingToken: PeerToken.optional(),
      }),
    )
    .errors({
      ...invalid,
      TOKEN_TAKEN: { status: 409, message: 'Another peer sends this token already. Give each its own.' },
      ADDED_BEFORE: { status: 409, message: 'This peer was added before, and its token has changed since. Renew it to see a new one.' },
    })
    .output(WithToken),
  edit: does('peers', 'peer.changed')
    .route({ method: 'PATCH', path: '/peers/{id}' })
    .input(z.object({ id: Id, ...z.object(settings).partial().shape, outgoingToken: PeerToken.optional() }))
    .errors({ ...notFound, ...invalid })
    .output(Peer),
  renewToken: does('peers', 'peer.changed')
    .route({ method: 'POST', path: '/peers/{id}/token' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(WithToken),
  pause: does('peers', 'peer.changed')
    .route({ method: 'POST', path: '/peers/{id}/pause' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(Peer),
  resume: does('peers', 'peer.changed')
    .route({ method: 'POST', path: '/peers/{id}/resume' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(Peer),
  remove: does('peers', 'peer.removed')
    .route({ method: 'DELETE', path: '/peers/{id}' })
    .input(z.object({ id: Id }))
    .errors({
      ...notFound,
      NOT_SETTLED: { status: 409, message: 'Something is still owed or under way. Settle it first, or pause the peer.' },
    })
    .output(Peer),
  /** Records money that changed hands outside: `received` from the peer, or `paid` to it. */
  settle: does('money', 'peer.settled')
    .route({ method: 'POST', path: '/peers/{id}/settlements' })
    .input(
      z.object({
        id: Id,
        requestId: RequestId,
        direction: z.enum(['received', 'paid']),
        amount: MovedValue,
        note: z.string().trim().max(500),
      }),
    )
    .errors({
      ...notFound,
      PAST_CREDIT: { status: 409, message: 'After this it would owe more than its credit limit. Raise the limit first, if this was paid.' },
      TOO_LARGE: { status: 400, message: 'The balance would be larger than this node can hold.' },
    })
    .output(Peer),
  /** Sends a packet without money and tells how it went. */
  test: reads
    .route({ method: 'POST', path: '/peers/{id}/test' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(PeerTest),
};
