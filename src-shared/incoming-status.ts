/** What decides the status of an incoming payment. */
export interface IncomingFacts {
  /** Whether it was completed (Open Payments): it takes no more money. */
  readonly completed: boolean;
  /** The amount received, in smallest units of the account. */
  readonly received: bigint;
  /** The amount asked for, in the same units. It is null when the payer decides. */
  readonly asked: bigint | null;
  /** The time at which it stops taking money, in milliseconds since the Unix epoch. It is null when it never does. */
  readonly endsAt: number | null;
  /** Whether the operator made it, not an app. */
  readonly isOwn: boolean;
}

/**
 * What an incoming payment is to the person who waits for the money (decisions.md#D-65).
 * - `waiting`: nothing has arrived, and it takes money.
 * - `partly_paid`: less has arrived than was asked for. It may take the rest, or have ended.
 * - `paid`: everything asked for has arrived. Where the payer decides, anything is everything, and it may take more.
 * - `cancelled`: the operator's own, ended with nothing in it.
 * - `expired`: its time was over before anything arrived.
 * - `nothing_received`: an app's, ended with nothing in it.
 */
export const INCOMING_STATUSES = ['waiting', 'partly_paid', 'paid', 'cancelled', 'expired', 'nothing_received'] as const;
export type IncomingStatus = (typeof INCOMING_STATUSES)[number];

/** Whether the payment takes money at the moment `now`, in milliseconds since the Unix epoch. */
export const takesMoney = ({ completed, endsAt }: Pick<IncomingFacts, 'completed' | 'endsAt'>, now: number): boolean =>
  !completed && (endsAt === null || now < endsAt);

/** The status at the moment `now`, in milliseconds since the Unix epoch. Nothing is ever paid by nothing. */
export function incomingStatus(facts: IncomingFacts, now: number): IncomingStatus {
  const { completed, received, asked, isOwn } = facts;
  if (received > 0n) return asked === null || received >= asked ? 'paid' : 'partly_paid';
  if (takesMoney(facts, now)) return 'waiting';
  if (!completed) return 'expired';
  return isOwn ? 'cancelled' : 'nothing_received';
}
