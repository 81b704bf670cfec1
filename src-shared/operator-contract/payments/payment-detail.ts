import { INCOMING_STATUSES } from '../../incoming-status.ts';
import { z } from '../../zod.ts';
import { AmountValue, Counted, ForeignAmount, Id, Metadata, Position } from '../values.ts';
import { MADE_AT } from './made-at.ts';

export const Direction = z.enum(['in', 'out']);

/**
 * The state of a payment as the console shows it. Incoming payments: see `incoming-status.ts`. Outgoing payments:
 * `queued`, `sending`, `retrying`, `settling` (the node sends no more and waits for the last answers), `unknown` (the
 * operator must find out), `completed`, `failed`.
 */
export const PaymentStatus = z.enum([...INCOMING_STATUSES, 'queued', 'sending', 'retrying', 'settling', 'unknown', 'completed', 'failed']);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

/**
 * The proven payer: an account of this node, or a wallet address whose wallet consented at the checkout. An app that
 * pays by a permission is no payer.
 */
export const Payer = z.object({
  walletAddress: z.url(),
  /** The payer's account, when it is one of this node; null otherwise. */
  accountId: Id.nullable(),
  /** The amount that is proven to have come from there. */
  amount: AmountValue,
  /** The part of that amount that the shop can still refund. */
  refundable: AmountValue,
  /**
   * The amount that they paid in their own currency, and how much of it can still go back; null where that is not
   * known, or where it is the account's currency.
   */
  paid: z.object({ amount: ForeignAmount, left: ForeignAmount }).nullable(),
});
export type Payer = z.infer<typeof Payer>;

/** Money that the operator gives back to a payer. */
export const Refund = z.object({
  id: Id,
  /** The payer's wallet address. */
  payer: z.url(),
  /** The most that leaves the account, fees included. */
  amount: AmountValue,
  /** The amount that arrives in the payer's currency, where the refund gives back what they paid; null for others. */
  receive: ForeignAmount.nullable(),
  /** The amount that has left the account so far. */
  left: AmountValue,
  reason: z.string().nullable(),
  /** `unknown`: nobody can say whether it arrived. It counts as if it had. */
  state: z.enum(['pending', 'done', 'failed', 'unknown']),
  /** The code of the reason, when it failed or is unknown; null otherwise. */
  failure: z.string().nullable(),
  /**
   * Who says that this payer paid, in a refund by a claim link: their own wallet, or the person who decided. It is null
   * where it is proven.
   */
  claimed: z.enum(['wallet', 'operator']).nullable(),
  /** The payment that carries it out; null before there is one. */
  outgoingPaymentId: Id.nullable(),
  createdAt: z.date(),
});
export type Refund = z.infer<typeof Refund>;

/**
 * The first proven payers of an incoming payment, and its newest refunds, 20 of each at most. `refunds.payers` and
 * `refunds.list` read all of them. Payers are never on public pages and never in the public API.
 */
export const PartOfRefunds = {
  payers: z.array(Payer),
  morePayers: z.boolean(),
  refunds: z.array(Refund),
  moreRefunds: z.boolean(),
};

/** One row of the payments list. */
export const Payment = z.object({
  id: Id,
  direction: Direction,
  accountId: Id,
  accountName: z.string(),
  status: PaymentStatus,
  /** Incoming: the amount asked for, if there is one. Outgoing: the amount that is to leave the account. */
  amount: AmountValue.nullable(),
  /** Incoming: what has been received so far. Outgoing: what has been sent so far. */
  progress: AmountValue,
  /** Incoming: it was completed and takes no more money. Outgoing: everything has arrived. */
  completed: z.boolean(),
  /** `metadata.description`, when it is text. Payers see it. */
  description: z.string().nullable(),
  /**
   * A request of the operator has their own reference, which never leaves the node. Other payments, and requests from
   * before there was such a reference, have `metadata.externalRef`, when it is text. Payers see that one.
   */
  reference: z.string().nullable(),
  /** The operator's note on a request of their own. It never leaves the node. */
  note: z.string().nullable(),
  /** The place in the shop where a request was made. It is null for an app's, and for requests of older versions. */
  madeAt: z.enum(MADE_AT).nullable(),
  /** The paired till that made the request, as it was called then; null for everything else. */
  till: z.object({ id: Id, name: z.string() }).nullable(),
  /** The app that created the payment, as the URL of its wallet address; null for the operator. */
  client: z.string().nullable(),
  /** The amount that refunds of the incoming payment have given back so far. */
  refunded: AmountValue,
  /** The received payment that an outgoing one refunds; null when it refunds none. */
  refundOf: Id.nullable(),
  createdAt: z.date(),
  updatedAt: z.date(),
});
export type Payment = z.infer<typeof Payment>;

export const TimelineEntry = z.object({
  position: Position,
  /** The event's type, such as `outgoing_payment.created`. */
  type: z.string(),
  /** The body of the event. When the entry stands for several packets, it is the body of the last one. */
  body: z.record(z.string(), z.string()),
  /** The time of the first event of the entry. */
  since: z.date(),
  at: z.date(),
  /** How many successive events of this type the entry stands for. A payment may have very many packets. */
  events: Counted,
});
export type TimelineEntry = z.infer<typeof TimelineEntry>;

/** A packet to a peer whose outcome is unknown. Its money is held. */
export const OpenPacket = z.object({
  peerId: Id,
  peerName: z.string(),
  amount: AmountValue,
  sentAt: z.date(),
  /** The time after which the peer can no longer take the packet. */
  expiresAt: z.date(),
  /** `held`: the node is finding out. `unknown`: the node cannot find out, and the operator decides with `resolve`. */
  state: z.enum(['held', 'unknown']),
  /**
   * Whether the node sends the same packet again until the peer answers. When a held packet is not sent again, the node
   * reads what the receiver got once the packet has expired.
   */
  askedAgain: z.boolean(),
});
export type OpenPacket = z.infer<typeof OpenPacket>;

export const PaymentDetail = Payment.extend({
  /** The public URL of the payment. */
  url: z.url(),
  walletAddress: z.url(),
  expiresAt: z.date().nullable(),
  metadata: Metadata.nullable(),
  /** The URL of the incoming payment that an outgoing one pays. */
  receiver: z.url().nullable(),
  /** The amount that the receiver of an outgoing payment should get. */
  receiveAmount: ForeignAmount.nullable(),
  /** The amount that the receiver of an outgoing payment has got so far. */
  delivered: ForeignAmount.nullable(),
  /** The grant that an outgoing payment used. */
  grantId: Id.nullable(),
  /** The reason for which an outgoing payment failed, such as `receiver_closed`. */
  failure: z.object({ code: z.string() }).nullable(),
  /** The money of an outgoing payment in packets whose outcome is unknown. It is neither sent nor free. */
  held: AmountValue.nullable(),
  /** The packets with that money, oldest first. */
  openPackets: z.array(OpenPacket),
  ...PartOfRefunds,
  /**
   * How many ILP packets carried money. It is null for an incoming payment of which packets are in the archive. For an
   * outgoing one it is exact, however great.
   */
  packets: Counted.nullable(),
  /** Whether the archive has the payment's story, or the beginning of it; see `payments.archived`. */
  archived: z.boolean(),
  timeline: z.array(TimelineEntry),
});
export type PaymentDetail = z.infer<typeof PaymentDetail>;
