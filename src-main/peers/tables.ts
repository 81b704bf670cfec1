import { sql } from 'drizzle-orm';
import {
  bool,
  check,
  index,
  int53,
  int64,
  json,
  primaryKey,
  table,
  text,
  timestampMs,
  uint64,
  uniqueIndex,
} from '../platform/database/schema.ts';

/** Whether the nodes exchange packets. A removed peer stays stored, because its packets refer to it. */
export type PeerState = 'active' | 'paused' | 'removed';

/**
 * Other nodes with which this one exchanges ILP packets: one row per node and asset. The balance of the ledger account
 * `peer:<id>` is what this node owes.
 */
export const peers = table(
  'peers',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    state: text('state').$type<PeerState>().notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    /** The peer's ILP address. The node sends packets for addresses below it to the peer. */
    ilpAddress: text('ilp_address').notNull(),
    /** Further address prefixes to which the peer leads. */
    routes: json<string[]>('routes').notNull(),
    /** The URL that takes the peer's packets (ILP over HTTP, RFC 35). */
    endpoint: text('endpoint').notNull(),
    /** The bearer token that the peer wants. It is encrypted and not hashed, because the node sends it. */
    outgoingToken: text('outgoing_token').notNull(),
    /** SHA-256 (base64url) of the bearer token that the peer sends. */
    incomingTokenHash: text('incoming_token_hash').notNull(),
    /**
     * The most that this node may owe the peer, what is in flight included, in smallest units. It is null when there is
     * no limit. The most that the peer may owe is the overdraft of its ledger account.
     */
    debtLimit: int64('debt_limit'),
    /** Sum of the packets sent to the peer whose outcome is not known yet, in smallest units of its asset. */
    inFlight: int64('in_flight').notNull(),
    /** The most one packet to the peer may carry, in smallest units of its asset. It is null when there is no limit. */
    maxPacketAmount: int64('max_packet_amount'),
    /**
     * Whether the peer answers a repeated packet as the first time. Then a packet without an answer may be sent again.
     */
    deduplicates: bool('deduplicates').notNull(),
    /**
     * The last time that the peer brought money, to within a minute. It is null when the peer has brought none since
     * this column exists.
     */
    lastBroughtAt: timestampMs('last_brought_at'),
    createdAt: timestampMs('created_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('peers_state', sql`${t.state} in ('active', 'paused', 'removed')`),
    check('peers_in_flight', sql`${t.inFlight} >= 0`),
    index('peers_listed').on(t.createdAt, t.id).where(sql`${t.state} <> 'removed'`),
    index('peers_brought').on(t.lastBroughtAt).where(sql`${t.lastBroughtAt} is not null`),
    uniqueIndex('peers_incoming_token').on(t.incomingTokenHash).where(sql`${t.state} <> 'removed'`),
  ],
);

/** The condition that the peer is not removed. This repeats the very words of the partial indexes above. */
export const isLivingPeer = sql`${peers.state} <> 'removed'`;

/** The condition that the peer has brought money. This repeats the very words of the partial index above. */
export const hasBrought = sql`${peers.lastBroughtAt} is not null`;

/**
 * Answers given to packets that peers have sent, by their execution condition. A repetition gets the same answer and
 * moves nothing. An answer is stored in the same write as the money, and before it leaves (decisions.md#D-49).
 */
export const receivedPackets = table(
  'received_packets',
  {
    peerId: text('peer_id')
      .notNull()
      .references(() => peers.id),
    /** Base64url of the 32 bytes. */
    condition: text('condition').notNull(),
    /** It is null when the packet was rejected. */
    incomingPaymentId: text('incoming_payment_id'),
    /**
     * The amount that the peer sent, in smallest units of its asset, and what that is worth, in smallest units of the
     * receiver's. The payment gets at most what it asks for (decisions.md#D-18). Both are 0 for a rejected packet.
     */
    sourceAmount: int64('source_amount').notNull(),
    amount: int64('amount').notNull(),
    /** Base64url of the FULFILL or REJECT. */
    reply: text('reply').notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.peerId, t.condition] }),
    // Rejections have their own index. Looked up here, all of them would be read to find the oldest.
    index('received_packets_payment').on(t.incomingPaymentId, t.createdAt).where(sql`${t.incomingPaymentId} is not null`),
    index('received_packets_rejected').on(t.createdAt).where(sql`${t.incomingPaymentId} is null`),
  ],
);

/**
 * The amounts that the packets of a peer to an incoming payment in another currency have brought at the present rate.
 * The write that takes a packet asks for them (decisions.md#D-90).
 */
export const peerConversions = table(
  'peer_conversions',
  {
    peerId: text('peer_id')
      .notNull()
      .references(() => peers.id),
    incomingPaymentId: text('incoming_payment_id').notNull(),
    /** Units of the receiver's asset per unit of the peer's, as `numerator/denominator` in lowest terms. */
    rate: text('rate').notNull(),
    /** The amount that the peer sent at that rate, and what it was worth, in smallest units of either asset. */
    source: int64('source').notNull(),
    arrived: int64('arrived').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.peerId, t.incomingPaymentId] }),
    check('peer_conversions_sums', sql`${t.source} > 0 and ${t.arrived} >= 0`),
    index('peer_conversions_updated').on(t.updatedAt),
  ],
);

/** The condition that the packet was rejected. This repeats the very words of the partial index above. */
export const wasRejected = sql`${receivedPackets.incomingPaymentId} is null`;

/**
 * The node's knowledge of a packet that it sent.
 * - `held`: it left, or is about to leave, and its outcome is not known.
 * - `unknown`: the same, and nobody can be asked any more. Only the operator can end it.
 * - `fulfilled`, `rejected`: final.
 */
type SentPacketState = 'held' | 'fulfilled' | 'rejected' | 'unknown';

/**
 * Packets with money that were sent to peers. A packet is stored, and its money held, before its bytes leave
 * (decisions.md#D-51).
 */
export const sentPackets = table(
  'sent_packets',
  {
    /** Base64url of the execution condition. */
    condition: text('condition').primaryKey(),
    peerId: text('peer_id')
      .notNull()
      .references(() => peers.id),
    outgoingPaymentId: text('outgoing_payment_id').notNull(),
    state: text('state').$type<SentPacketState>().notNull(),
    /** Base64url of the PREPARE. A repetition sends the same bytes. */
    prepare: text('prepare').notNull(),
    /** The amount that leaves escrow, in smallest units of the payer's asset. */
    sourceAmount: int64('source_amount').notNull(),
    /** The amount that the peer gets, in smallest units of its asset. */
    peerAmount: int64('peer_amount').notNull(),
    /**
     * The shared secret of the packet's STREAM connection, sealed. Only its holder can read from a late fulfilment how
     * much arrived.
     */
    sharedSecret: text('shared_secret'),
    /**
     * The amount that the receiver had got from others when the attempt began, in smallest units of its asset. It is
     * null when that was not known.
     */
    receivedFromOthers: uint64('received_from_others'),
    /**
     * The amount that arrived, in smallest units of the receiver's asset, as the fulfilment says. It is null until
     * then.
     */
    delivered: int64('delivered'),
    /** The ILP error code of a rejected packet. */
    code: text('code'),
    expiresAt: timestampMs('expires_at').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    endedAt: timestampMs('ended_at'),
  },
  (t) => [
    check('sent_packets_state', sql`${t.state} in ('held', 'fulfilled', 'rejected', 'unknown')`),
    check('sent_packets_amounts', sql`${t.sourceAmount} > 0 and ${t.peerAmount} >= 0`),
    index('sent_packets_payment').on(t.outgoingPaymentId, t.createdAt),
    index('sent_packets_open').on(t.outgoingPaymentId).where(sql`${t.state} in ('held', 'unknown')`),
  ],
);

/** The condition that the packet's outcome is not known. This repeats the very words of the partial index above. */
export const isOpenPacket = sql`${sentPackets.state} in ('held', 'unknown')`;

/**
 * The state of the renewal of a peer's tokens.
 * - `proposed`: this node has made a new token for the peer to send, and takes it from now on.
 * - `agreed`: the peer has made one, too, and this node sends it.
 * - `answered`: the peer has proposed, and this node has made a token, which it takes from now on.
 * - `done`: both send the new tokens. This node takes the former token until `formerEndsAt`.
 */
type RenewalState = 'proposed' | 'agreed' | 'answered' | 'done';

/** The last renewal of the tokens of each peer (decisions.md#D-163). */
export const peerRenewals = table(
  'peer_renewals',
  {
    peerId: text('peer_id')
      .primaryKey()
      .references(() => peers.id),
    /** Names the renewal between the two nodes. */
    id: text('id').notNull(),
    state: text('state').$type<RenewalState>().notNull(),
    /** The new token that the peer sends, sealed, and its SHA-256 (base64url). */
    ownToken: text('own_token').notNull(),
    ownTokenHash: text('own_token_hash').notNull(),
    /** The new token that this node sends, sealed. It is null as long as the peer has told none. */
    theirToken: text('their_token'),
    /** SHA-256 (base64url) of the token that the peer sent before, and the time until which this node takes it. */
    formerTokenHash: text('former_token_hash'),
    formerEndsAt: timestampMs('former_ends_at'),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('peer_renewals_state', sql`${t.state} in ('proposed', 'agreed', 'answered', 'done')`),
    check('peer_renewals_former', sql`(${t.formerTokenHash} is null) = (${t.formerEndsAt} is null)`),
    index('peer_renewals_open').on(t.updatedAt).where(sql`${t.state} in ('proposed', 'agreed')`),
  ],
);

/**
 * The condition that this node must bring the renewal to its end. This repeats the very words of the partial index
 * above.
 */
export const isToContinue = sql`${peerRenewals.state} in ('proposed', 'agreed')`;
