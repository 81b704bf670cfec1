import { and, eq, isNotNull, max, sql } from 'drizzle-orm';
import type { Asset } from '../../src-shared/amounts.ts';
import type { UsedRate } from '../exchange/rates.ts';
import type { AcceptRefusal } from '../ilp/packets.ts';
import { type Database, prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { placeholdersOf } from '../platform/database/placeholders.ts';
import type { Result } from '../platform/result.ts';
import type { Converted } from './peer-conversion.ts';
import { hasBrought, peers, receivedPackets } from './tables.ts';

/** The key of a peer's packet with money. By it the node recognises a repetition (decisions.md#D-49). */
export interface PacketKey {
  readonly peerId: string;
  /** The ids that the same peer had before it was removed and added again. */
  readonly formerPeerIds: readonly string[];
  /**
   * Base64url of the execution condition. It is unique for each packet, because the data that it hashes has a random
   * part.
   */
  readonly condition: string;
}

/** The rate and the place by which a packet was converted. The write that takes it asks whether both still hold. */
export interface PacketExchange {
  readonly used: UsedRate;
  readonly converted: Converted;
}

/** Money of a peer that a STREAM receiver of this node is ready to take. */
export interface PeerPacket extends PacketKey {
  readonly incomingPaymentId: string;
  /** The hash of the token with which the packet came. The node refuses a peer that has another token by now. */
  readonly tokenHash: string;
  /** The amount that the peer sends, in smallest units of its asset; at least 1. */
  readonly sourceAmount: bigint;
  readonly sourceAsset: Asset;
  /** The amount that arrives, in smallest units of `asset`. It can be 0 where `asset` is the coarser one. */
  readonly amount: bigint;
  readonly asset: Asset;
  /** The exchange by which `amount` was calculated. It is absent when both assets are the same. */
  readonly exchange?: PacketExchange | undefined;
  /**
   * The end of the packet, in milliseconds since the Unix epoch. The peer need not pay for what is fulfilled later (RFC
   * 27).
   */
  readonly expiresAt: number;
  /** The FULFILL, to be stored beside the money. */
  readonly reply: Buffer;
}

/**
 * The answer to a packet. `isNew`: this call has given it. Otherwise it is the answer that was given before, whatever
 * it was.
 */
export interface Answered {
  readonly reply: Buffer;
  readonly isNew: boolean;
}

/**
 * Takes the money of one packet in ONE write. The write checks the incoming payment, the peer's credit and the
 * exchange, and stores the answer beside the money. A packet that was answered before moves nothing and gets its former
 * answer. If it throws, nothing has moved, as far as the node knows.
 */
export type AcceptPeerPacket = (packet: PeerPacket) => Promise<Result<Answered, AcceptRefusal>>;

const $ = sql.placeholder;
const byKey = prepared((reader: Reader) =>
  reader
    .select({ reply: receivedPackets.reply })
    .from(receivedPackets)
    .where(and(eq(receivedPackets.peerId, $('peerId')), eq(receivedPackets.condition, $('condition'))))
    .prepare(),
);
const isServed = prepared((reader: Reader) =>
  reader
    .select({ id: peers.id })
    .from(peers)
    .where(and(eq(peers.id, $('peerId')), eq(peers.state, 'active'), eq(peers.incomingTokenHash, $('tokenHash'))))
    .prepare(),
);
const broughtBy = prepared((reader: Reader) =>
  reader
    .select({ condition: receivedPackets.condition })
    .from(receivedPackets)
    .where(and(eq(receivedPackets.peerId, $('peerId')), isNotNull(receivedPackets.incomingPaymentId)))
    .limit(1)
    .prepare(),
);
const lastBrought = prepared((reader: Reader) =>
  reader
    .select({ at: max(peers.lastBroughtAt) })
    .from(peers)
    .where(hasBrought)
    .prepare(),
);
const brought = prepared((reader: Reader) =>
  reader
    .select({ at: peers.lastBroughtAt })
    .from(peers)
    .where(eq(peers.id, $('peerId')))
    .prepare(),
);
const insert = prepared((tx: Tx) => tx.insert(receivedPackets).values(placeholdersOf(receivedPackets)).prepare());

const insertReceived = async (tx: Tx, row: typeof receivedPackets.$inferSelect): Promise<void> => {
  await insert(tx).execute(row);
};

/**
 * The word of a write that asks whether a packet was answered before, or answers it; see `Database.write`. The peer has
 * no part in it, because it may have had other ids.
 */
export const touchedByPacket = ({ condition }: PacketKey): string => `packet:${condition}`;

/** Whether a peer has brought money whose packets are not in the archive. */
export const hasBroughtMoney = async (reader: Reader, peerId: string): Promise<boolean> =>
  (await broughtBy(reader).execute({ peerId })).length > 0;

/**
 * The last time that any peer brought money, to within a minute, in milliseconds since 1970. It is null when none did.
 */
export async function lastBroughtAt(reader: Reader): Promise<number | null> {
  const [last] = await lastBrought(reader).execute();
  return last === undefined || last.at === null ? null : Number(last.at);
}

/**
 * The last time that this peer brought money, to within a minute, in milliseconds since 1970. It is null when it never
 * did.
 */
export async function broughtAt(reader: Reader, peerId: string): Promise<number | null> {
  const [row] = await brought(reader).execute({ peerId });
  return row?.at ?? null;
}

/** Finds the answer that was given to this packet before. */
export async function formerReply(reader: Reader, { peerId, formerPeerIds, condition }: PacketKey): Promise<Buffer | undefined> {
  for (const id of [peerId, ...formerPeerIds]) {
    const [row] = await byKey(reader).execute({ peerId: id, condition });
    if (row !== undefined) return Buffer.from(row.reply, 'base64url');
  }
  return undefined;
}

/**
 * Tells, inside a write, whether the peer still may send with that token. The operator may have paused it, or given it
 * another token, after the packet came.
 */
export async function isStillServed(tx: Reader, { peerId, tokenHash }: PeerPacket): Promise<boolean> {
  return (await isServed(tx).execute({ peerId, tokenHash })).length === 1;
}

/** Notes that a peer brings money, in the write that moves it. */
export async function noteBrought(tx: Tx, { peerId }: PeerPacket, at: number): Promise<void> {
  await tx.update(peers).set({ lastBroughtAt: at }).where(eq(peers.id, peerId));
}

/** Notes that a packet's money moves, in the write that moves it. */
export async function storeReceived(tx: Tx, packet: PeerPacket, at: number): Promise<void> {
  const { peerId, condition, incomingPaymentId, sourceAmount, amount } = packet;
  const reply = packet.reply.toString('base64url');
  await insertReceived(tx, { peerId, condition, incomingPaymentId, sourceAmount, amount, reply, createdAt: at });
}

/**
 * Notes a rejection before it leaves. The sender gives the money back on a rejection, so the same packet must not be
 * taken when it comes again after things have changed.
 * @returns the answer that the packet got before, or else this one.
 */
export async function storeRejected(database: Database, key: PacketKey, reply: Buffer, at: number): Promise<Buffer> {
  return await database.write(
    async (tx) => {
      const former = await formerReply(tx, key);
      if (former !== undefined) return former;
      const { peerId, condition } = key;
      const nothing = { incomingPaymentId: null, sourceAmount: 0n, amount: 0n };
      await insertReceived(tx, { ...nothing, peerId, condition, reply: reply.toString('base64url'), createdAt: at });
      return reply;
    },
    [touchedByPacket(key)],
  );
}

const DAY_MS = 24 * 60 * 60_000;
/**
 * The node asks for this long about a packet without an answer (decisions.md#D-49). After that a repetition could be
 * taken for a new packet.
 */
export const REPEATABLE_MS = 30 * DAY_MS;
/**
 * Answers stay for this long: a day more than anybody asks for them, because clocks differ and a question can be on its
 * way.
 */
export const KEPT_MS = REPEATABLE_MS + DAY_MS;
