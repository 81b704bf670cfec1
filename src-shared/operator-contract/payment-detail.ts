import { z } from 'zod';
import { AmountValue, ForeignAmount, Id, Metadata } from './values.ts';

export const Direction = z.enum(['in', 'out']);

/**
 * What an operator calls the state of a payment. Incoming: waiting (nothing yet), receiving, completed, expired.
 * Outgoing: queued, sending, retrying, settling (no more is sent, the last answers are awaited), unknown (the operator must find out),
 * completed, failed.
 */
export const PaymentStatus = z.enum([
  'waiting',
  'receiving',
  'expired',
  'queued',
  'sending',
  'retrying',
  'settling',
  'unknown',
  'completed',
  'failed',
]);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/** One row of the payments list. */
export const Payment = z.object({
  id: Id,
  direction: Direction,
  accountId: Id,
  accountName: z.string(),
  status: PaymentStatus,
  /** In: the amount asked for, if any. Out: what is to be taken from the account. */
  amount: AmountValue.nullable(),
  /** In: received so far. Out: sent so far. */
  progress: AmountValue,
  /** `metadata.description`, if it is text. */
  description: z.string().nullable(),
  /** `metadata.externalRef`, if it is text. */
  reference: z.string().nullable(),
  /** The app that created it, as its wallet address URL; null for the operator. */
  client: z.string().nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Payment = z.infer<typeof Payment>;

export const TimelineEntry = z.object({
  position: z.bigint(),
  /** The event's type, such as `outgoing_payment.created`. */
  type: z.string(),
  /** Of several packets in a row, what the last one says. */
  body: z.record(z.string(), z.string()),
  /** When the first of them was. */
  since: z.date(),
  at: z.date(),
  /** How many events in a row of this type it stands for: packets of money come by the thousand. */
  events: z.number().int(),
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** A packet to a peer whose outcome is not known: its money is held. */
export const OpenPacket = z.object({
  peerId: Id,
  peerName: z.string(),
  amount: AmountValue,
  sentAt: z.date(),
  /** After it the peer can no longer take the packet. */
  expiresAt: z.date(),
  /** `held`: the node is finding out. `unknown`: it cannot; the operator decides, see `resolve`. */
  state: z.enum(['held', 'unknown']),
  /**
   * Whether the node sends the same packet again until the peer answers. When a held packet is not sent again, the node
   * reads what the receiver got once the packet has expired.
   */
  askedAgain: z.boolean(),
});
export type OpenPacket = z.infer<typeof OpenPacket>;

export const PaymentDetail = Payment.extend({
  /** Its public URL. */
  url: z.url(),
  walletAddress: z.url(),
  expiresAt: z.date().nullable(),
  metadata: Metadata.nullable(),
  /** Out: the incoming payment it pays. */
  receiver: z.url().nullable(),
  /** Out: what the receiver should get. */
  receiveAmount: ForeignAmount.nullable(),
  /** Out: what the receiver has got so far. */
  delivered: ForeignAmount.nullable(),
  /** Out: the approval it used. */
  grantId: Id.nullable(),
  /** Out, failed: why; a code such as `receiver_closed`. */
  failure: z.object({ code: z.string() }).nullable(),
  /** Out: neither sent nor free, because it is in packets whose outcome is not known. */
  held: AmountValue.nullable(),
  /** Out: those packets, oldest first. */
  openPackets: z.array(OpenPacket),
  /** How many ILP packets carried money for it. */
  packets: z.number().int(),
  timeline: z.array(TimelineEntry),
});
export type PaymentDetail = z.infer<typeof PaymentDetail>;
