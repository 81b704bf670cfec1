import type { News } from '../../../src-shared/operator-contract/node.ts';
import type { StoredEvent } from '../../journal/stored-events.ts';
import { newsOf } from '../../operator-api/live/news.ts';

/** Something that happened and that a notification may tell of. */
export type Occasion =
  | News
  | { kind: 'approval'; requestId: string }
  /** A payment was counted against a grant; `amount` in smallest units of the account. */
  | { kind: 'spent'; grantId: string; amount: bigint };

/** How many events of a kind get their own notifications. More are told in one notification that counts them. */
const MOST_OF_A_KIND = 3;

/** Events of a kind that are only counted. */
export type Many = 'many_paid' | 'many_failed' | 'many_claims' | 'many_approvals';

/** What to tell after a while in which several things may have happened. */
export type Gathered =
  | Exclude<Occasion, { kind: 'spent' }>
  | { kind: Many; count: number }
  | { kind: 'spent'; grantId: string; amount: bigint };

/**
 * Finds what an event means for the operator. A grant request is told of once its page was opened, because only then
 * there is a code.
 */
export function occasionOf(event: Pick<StoredEvent, 'type' | 'subject' | 'body'>): Occasion | undefined {
  const { type, subject, body } = event;
  if (type === 'grant.opened') return { kind: 'approval', requestId: subject };
  if (type === 'outgoing_payment.created' && body.grant !== undefined)
    return { kind: 'spent', grantId: body.grant, amount: BigInt(body.amount ?? 0) };
  return newsOf(event);
}

/** Reduces the events of a while to what a person can take in: a few one by one, more of a kind as a number. */
export function gather(occasions: readonly Occasion[]): Gathered[] {
  const paid = occasions.filter((one) => one.kind === 'paid');
  const failed = occasions.filter((one) => one.kind === 'failed');
  const claims = occasions.filter((one) => one.kind === 'claim');
  const approvals = occasions.filter((one) => one.kind === 'approval');
  const spent = new Map<string, bigint>();
  for (const one of occasions) if (one.kind === 'spent') spent.set(one.grantId, (spent.get(one.grantId) ?? 0n) + one.amount);
  return [
    ...fewOr('many_approvals', approvals),
    ...fewOr('many_claims', claims),
    ...fewOr('many_failed', failed),
    ...fewOr('many_paid', paid),
    ...[...spent].map(([grantId, amount]) => ({ kind: 'spent' as const, grantId, amount })),
  ];
}

const fewOr = <One extends Gathered>(many: Many, all: readonly One[]): Gathered[] =>
  all.length > MOST_OF_A_KIND ? [{ kind: many, count: all.length }] : [...all];
