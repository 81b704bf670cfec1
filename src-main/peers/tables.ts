import { sql } from 'drizzle-orm';
import { check, index, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { bool, int53, int64, json, timestampMs, uint64 } from '../platform/database/columns.ts';

export type PeerState = 'active' | 'paused' | 'removed';

/** Other nodes with which this one exchanges ILP packets: one row per node and asset. What is owed is in the ledger account `peer:<id>`. */
export const peers = sqliteTable(
  'peers',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    state: text('state').$type<PeerState>().notNull(),
    assetCode: text('asset_code').notNull(),
    assetScale: int53('asset_scale').notNull(),
    /** Its ILP address; what lies below it is sent there. */
    ilpAddress: text('ilp_address').notNull(),
    /** Further address prefixes that it leads to. */
    routes: json<string[]>('routes').notNull(),
    /** The URL that takes its packets (ILP over HTTP). */
    endpoint: text('endpoint').notNull(),
    /** The bearer token it wants, encrypted: it must be sent. */
    outgoingToken: text('outgoing_token').notNull(),
    /** SHA-256 (base64url) of the bearer token it sends. */
    incomingTokenHash: text('incoming_token_hash').notNull(),
    /** The most this node may owe it, what is in flight included; null for no limit. The most it may owe is its account's overdraft. */
    debtLimit: int64('debt_limit'),
    /** Sum of the packets sent to it whose outcome is not known yet. */
    inFlight: int64('in_flight').notNull(),
    /** The most one packet to it may carry; null for no limit. */
    maxPacketAmount: int64('max_packet_amount'),
    /** Whether it answers a repeated packet as the first time, so that a packet without an answer may be sent again. */
    deduplicates: bool('deduplicates').notNull(),
    createdAt: timestampMs('created_at').notNull(),
    updatedAt: timestampMs('updated_at').notNull(),
  },
  (t) => [
    check('peers_state', sql`${t.state} in ('active', 'paused', 'removed')`),
    check('peers_in_flight', sql`${t.inFlight} >= 0`),
    uniqueIndex('peers_incoming_token').on(t.incomingTokenHash).where(sql`${t.state} <> 'removed'`),
  ],
);

/**
 * Answers given to packets that peers have sent, by their execution condition: a repetition is answered alike and moves nothing. In the
 * same write as the money, and before the answer leaves.
 */
export const receivedPackets = sqliteTable(
  'received_packets',
  {
    peerId: text('peer_id')
      .notNull()
      .references(() => peers.id),
    /** Base64url of the 32 bytes. */
    condition: text('condition').notNull(),
    /** Null when it was rejected before its receiver was known. */
    incomingPaymentId: text('incoming_payment_id'),
    /** What the peer sent, in its asset; what arrived, in the receiver's. Both 0 for a rejected packet. */
    sourceAmount: int64('source_amount').notNull(),
    amount: int64('amount').notNull(),
    /** Base64url of the FULFILL or REJECT. */
    reply: text('reply').notNull(),
    createdAt: timestampMs('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.peerId, t.condition] }),
    index('received_packets_payment').on(t.incomingPaymentId, t.peerId),
    index('received_packets_age').on(t.createdAt),
  ],
);

/**
 * `held`: left, or about to leave, outcome not known. `unknown`: the same, and nobody can be asked any more; only the operator can end it.
 * `fulfilled` and `rejected` are final.
 */
export type SentPacketState = 'held' | 'fulfilled' | 'rejected' | 'unknown';

/** Packets with money sent to peers. Stored, with their money held, before the bytes leave. */
export const sentPackets = sqliteTable(
  'sent_packets',
  {
    /** Base64url of the execution condition. */
    condition: text('condition').primaryKey(),
    peerId: text('peer_id')
      .notNull()
      .references(() => peers.id),
    outgoingPaymentId: text('outgoing_payment_id').notNull(),
    state: text('state').$type<SentPacketState>().notNull(),
    /** Base64url of the PREPARE, sent again to the letter. */
    prepare: text('prepare').notNull(),
    /** What leaves escrow, in the payer's asset. */
    sourceAmount: int64('source_amount').notNull(),
    /** What the peer gets, in its asset. */
    peerAmount: int64('peer_amount').notNull(),
    /** The shared secret of its STREAM connection, sealed: a late fulfilment tells only its holder how much arrived. */
    sharedSecret: text('shared_secret'),
    /** What the receiver had got from others when the attempt began, in its asset; null when that was not known. */
    receivedFromOthers: uint64('received_from_others'),
    /** What arrived, in the receiver's asset, as the fulfilment says; null until then. */
    delivered: int64('delivered'),
    /** The ILP error code of a rejected one. */
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

/** In the very words of the partial index above. */
export const isOpen = sql`${sentPackets.state} in ('held', 'unknown')`;
