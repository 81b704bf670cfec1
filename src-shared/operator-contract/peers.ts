import { MAX_MOVED } from '../amounts.ts';
import { ILP_ADDRESS, MAX_NODE_ADDRESS } from '../ilp-address.ts';
import { LINK_PROBLEMS } from '../link-problems.ts';
import { PEER_TOKEN } from '../peering/peer-token.ts';
import { TEST_FINDINGS, TEST_OUTCOMES } from '../peering/test-findings.ts';
import { managers, owner, readers } from '../people/roles.ts';
import { z } from '../zod.ts';
import { operatorErrors as texts } from './error-messages.ts';
import { does, reads } from './operation.ts';
import { AssetValue, Id, MovedValue, REQUEST_ID_TAKEN, RequestId, Units } from './values.ts';

const IlpPrefix = z.string().max(MAX_NODE_ADDRESS).regex(ILP_ADDRESS);
export const PeerToken = z.string().regex(PEER_TOKEN);
const Limit = Units.min(0n).max(MAX_MOVED);

/** Another node with which this node exchanges ILP packets, in one asset. */
export const Peer = z.object({
  id: Id,
  name: z.string(),
  state: z.enum(['active', 'paused', 'removed']),
  ...AssetValue.shape,
  ilpAddress: z.string(),
  /** Further address prefixes of packets that go to this peer. */
  routes: z.array(z.string()),
  /** The URL to which this node sends packets. */
  endpoint: z.url(),
  /** The position, in smallest units. Above zero this node owes the peer, below zero the peer owes this node. */
  position: Units,
  /** Money in packets to the peer that have no answer yet. */
  inFlight: Units,
  /** The most that the peer may owe this node. */
  creditLimit: Units,
  /** The most that this node may owe the peer; null for no limit. */
  debtLimit: Units.nullable(),
  maxPacketAmount: Units.nullable(),
  /**
   * Whether the peer answers a repeated packet as it did the first time. paydesk does; the reference implementation
   * does not.
   */
  deduplicates: z.boolean(),
  /** The last time that the peer sent or answered a packet since the node started. */
  lastSeenAt: z.date().nullable(),
  /** Why the peer gave no answer to the last packet; null when it gave one. */
  lastProblem: z.enum(LINK_PROBLEMS).nullable(),
  createdAt: z.date(),
});
export type Peer = z.infer<typeof Peer>;

const tested = { outcome: z.enum(TEST_OUTCOMES), milliseconds: z.number().int() };
/** The currency in which the peer says it keeps its account with this node. This node may not know the currency. */
const PeerCurrency = AssetValue.extend({ assetScale: z.number().int().min(0).max(255) });

/** The result of testing a peer. */
export const PeerTest = z.discriminatedUnion('finding', [
  z.object({
    finding: z.enum(TEST_FINDINGS),
    ...tested,
  }),
  z.object({
    finding: z.literal('other_currency'),
    ours: AssetValue,
    /** The currency in the peer's words. It is null when those are not a currency. */
    theirs: PeerCurrency.nullable(),
    ...tested,
  }),
]);
export type PeerTest = z.infer<typeof PeerTest>;

/** One step of the connection with a peer, in the order in which they are made. */
export const ConnectionStep = z.object({
  /**
   * `url`: a node that takes packets answers at its URL. `token`: it accepts this node's token. `probe`: it answers a
   * packet that moves no money. `arrived`: a packet of the peer arrived since this node started. `address`: the packet
   * was meant for a receiver in the peer's currency, or in one in which the peer has no other account.
   */
  step: z.enum(['url', 'token', 'probe', 'arrived', 'address']),
  /** `unknown`: no packet of the peer has arrived yet. `not_tried`: an earlier step is missing. */
  state: z.enum(['good', 'missing', 'unknown', 'not_tried']),
  /** The fault of the address, where the step is missing. */
  problem: z.enum(['not_of_this_node', 'of_another_currency']).optional(),
});
export type ConnectionStep = z.infer<typeof ConnectionStep>;

/** The steps of the connection with a peer. */
export const PeerSteps = z.object({
  steps: z.array(ConnectionStep),
  /** The outcome of the packet without money. It tells why a step is missing. */
  test: PeerTest,
  /**
   * The last time that the peer sent a packet since this process started, or brought money at any time. The later of
   * both counts. It is null when the node knows of neither.
   */
  arrivedAt: z.date().nullable(),
});
export type PeerSteps = z.infer<typeof PeerSteps>;

/** What the operator may change of a peer at any time. */
const PeerSettings = z.object({
  name: z.string().trim().min(1).max(100),
  ilpAddress: IlpPrefix,
  /** Further address prefixes of packets that go to this peer. */
  routes: z.array(IlpPrefix).max(50),
  endpoint: z.url().max(2048),
  /** The most that the peer may owe this node, in smallest units (decisions.md#D-47). */
  creditLimit: Limit,
  /** The most that this node may owe the peer, in smallest units. It is null when there is no limit. */
  debtLimit: Limit.nullable(),
  maxPacketAmount: MovedValue.nullable(),
  deduplicates: z.boolean(),
});
export type PeerSettings = z.infer<typeof PeerSettings>;

const notFound = { NOT_FOUND: { status: 404, message: texts.noSuchPeer } };
const invalid = {
  INVALID_ENDPOINT: { status: 400, message: texts.invalidPeerEndpoint },
  ADDRESS_TAKEN: { status: 409, message: texts.peerAddressTaken },
  OWN_ADDRESS: { status: 400, message: texts.ownIlpAddress },
};
/** The token that the peer must send. The node shows it only this once. */
const WithToken = z.object({ peer: Peer, incomingToken: z.string() });

export const peers = {
  /** Lists the peers, the one that was added first first. It leaves removed ones out. */
  list: reads(readers, 'The nodes with which this node exchanges money.')
    .route({ method: 'GET', path: '/peers' })
    .input(
      z.object({
        cursor: z.string().optional(),
        limit: z.number().int().min(1).max(100).default(50),
        /** A part of the peer's name or ILP address. */
        text: z.string().max(200).optional(),
      }),
    )
    .output(z.object({ items: z.array(Peer), nextCursor: z.string().nullable() })),
  /** Reads a peer, also a removed one. */
  get: reads(readers, 'One peer.')
    .route({ method: 'GET', path: '/peers/{id}' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(Peer),
  /**
   * Tells what the other operator needs to add this node as a peer. `ilpAddress` is for software that keeps one address
   * for a peer in all currencies, as paydesk does. `addresses` has one for each currency in use, for software that
   * needs another address for each of its peers; the accounts of that currency lie below it.
   */
  self: reads(readers, 'What the operator of another node needs to add this node as a peer.')
    .route({ method: 'GET', path: '/peers/self' })
    .output(
      z.object({
        ilpAddress: z.string(),
        endpoint: z.url(),
        addresses: z.array(AssetValue.extend({ ilpAddress: z.string() })),
      }),
    ),
  add: does(owner, 'peers', 'peer.added', 'Adds a peer. The answer has the token that the peer must send, this once only.')
    .route({ method: 'POST', path: '/peers', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        ...AssetValue.shape,
        ...PeerSettings.shape,
        /** The bearer token that the peer wants from this node. */
        outgoingToken: PeerToken,
        /** The bearer token that the peer will send. The node makes one when it is absent. */
        incomingToken: PeerToken.optional(),
      }),
    )
    .errors({
      ...invalid,
      TOKEN_TAKEN: { status: 409, message: texts.peerTokenTaken },
      ADDED_BEFORE: { status: 409, message: texts.peerAddedBefore },
    })
    .output(WithToken),
  edit: does(owner, 'peers', 'peer.changed', 'Changes the settings of a peer. What is left out stays.')
    .route({ method: 'PATCH', path: '/peers/{id}' })
    .input(z.object({ id: Id, ...PeerSettings.partial().shape, outgoingToken: PeerToken.optional() }))
    .errors({ ...notFound, ...invalid })
    .output(Peer),
  renewToken: does(owner, 'peers', 'peer.changed', 'Makes a new token that the peer must send. The one before ends at once.')
    .route({ method: 'POST', path: '/peers/{id}/token' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(WithToken),
  pause: does(owner, 'peers', 'peer.changed', 'Stops the exchange of packets with a peer.')
    .route({ method: 'POST', path: '/peers/{id}/pause' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(Peer),
  resume: does(owner, 'peers', 'peer.changed', 'Exchanges packets with a paused peer again.')
    .route({ method: 'POST', path: '/peers/{id}/resume' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(Peer),
  remove: does(owner, 'peers', 'peer.removed', 'Removes a peer with which everything is settled.')
    .route({ method: 'DELETE', path: '/peers/{id}' })
    .input(z.object({ id: Id }))
    .errors({
      ...notFound,
      NOT_SETTLED: { status: 409, message: texts.peerNotSettled },
    })
    .output(Peer),
  /** Records money that was paid outside the node: `received` from the peer, or `paid` to it. */
  settle: does(owner, 'money', 'peer.settled', 'Records money that was paid outside the node: received from the peer, or paid to it.')
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
      REQUEST_ID_TAKEN,
      PAST_CREDIT: { status: 409, message: texts.peerPastCredit },
      TOO_LARGE: { status: 400, message: texts.balanceTooLarge },
    })
    .output(Peer),
  /** Sends a packet without money to the peer and reports the result. */
  test: reads(managers, 'Sends packets that move no money to a peer, one of them twice, and tells what came of it.')
    .route({ method: 'POST', path: '/peers/{id}/test' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(PeerTest),
  /** Sends a packet without money to the peer, and says how far the connection has come. */
  steps: reads(managers, 'Sends a packet that moves no money to a peer, and tells which steps of the connection are made.')
    .route({ method: 'POST', path: '/peers/{id}/steps' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(PeerSteps),
};
