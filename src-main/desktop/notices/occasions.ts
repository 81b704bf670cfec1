import type { StoredEvent } from '../../journal/stored-events.ts';

/** Something that happened and that a notification may tell of. */
export type Occasion =
  | { kind: 'paid' | 'failed'; paymentId: string }
  | { kind: 'approval'; requestId: string }
  /** A payment was counted against a grant; `amount` in smallest units of the account. */
  | { kind: 'spent'; grantId: string; amount: bigint };

/** How many events of a kind get their own notifications. More are told in one notification that counts them. */
const MOST_OF_A_KIND = 3;

/** What to tell after a while in which several things may have happened. */
export type Gathered =
  | Exclude<Occasion, { kind: 'spent' }>
  | { kind: 'many_paid' | 'many_failed' | 'many_approvals'; count: number }
  | { kind: 'spent'; grantId: string; amount: bigint };

/**
 * Finds what an event means for the operator. Their own acts are no news. A grant request is news once its page was
 * opened, because only then there is a code.
 */
export function occasionOf({ type, subject, body }: Pick<StoredEvent, 'type' | 'subject' | 'body'>): Occasion | undefined {
  switch (type) {
    case 'incoming_payment.completed':
      return body.by === undefined ? { kind: 'paid', paymentId: subject } : undefined;
    case 'outgoing_payment.failed':
      return { kind: 'failed', paymentId: subject };
    case 'grant.opened':
      return { kind: 'approval', requestId: subject };
    case 'outgoing_payment.created':
      return body.grant === undefined ? undefined : { kind: 'spent', grantId: body.grant, amount: BigInt(body.amount ?? 0) };
    default:
      return undefined;
  }
}

/** Reduces the events of a while to what a person can take in: a few one by one, more of a kind as a number. */
export function gather(occasions: readonly Occasion[]): Gathered[] {
  const paid = occasions.filter((one) => one.kind === 'paid');
  const failed = occasions.filter((one) => one.kind === 'failed');
  const approvals = occasions.filter((one) => one.kind === 'approval');
  const spent = new Map<string, bigint>();
  for (const one of occasions) if (one.kind === 'spent') spent.set(one.grantId, (spent.get(one.grantId) ?? 0n) + one.amount);
  return [
    ...fewOr('many_approvals', approvals),
    ...fewOr('many_failed', failed),
    ...fewOr('many_paid', paid),
    ...[...spent].map(([grantId, amount]) => ({ kind: 'spent' as const, grantId, amount })),
  ];
}

const fewOr = <One extends Gathered>(many: 'many_paid' | 'many_failed' | 'many_approvals', all: readonly One[]): Gathered[] =>
  all.length > MOST_OF_A_KIND ? [{ kind: many, count: all.length }] : [...all];
