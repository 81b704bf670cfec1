import type { WaitingOperation } from '../../../operator-contract/console/second-person.ts';
import type { Protected } from '../../../people/protected.ts';
import { hostAndPath } from '../../inert-text.ts';
import { area, extended } from '../../language/language.ts';

const text = area('people');

/** What waits, or waited, for a second person. Amounts are text. */
export interface ToldAct {
  operation: WaitingOperation | string;
  /** It is undefined for no limit, and for a setting that is switched off. */
  amount?: string | undefined;
  currency?: string | undefined;
  whom: string;
  what?: Protected | undefined;
}

/** What waits for a second person, in a few words. */
function actText({ operation, amount, currency = '', what = 'money', ...told }: ToldAct): string {
  const { acts } = text.wait;
  const whom = hostAndPath(told.whom);
  if (operation === 'secondPerson.set') return amount === undefined ? acts.off[what]({ currency }) : acts.less[what]({ amount });
  if (operation === 'approvals.approve') return amount === undefined ? acts.approveAny({ whom }) : acts.approve({ whom, amount });
  if (operation === 'apps.allowAgain') return amount === undefined ? acts.againAny({ whom }) : acts.again({ whom, amount });
  if (operation === 'claims.make') return acts.claim({ amount: amount ?? '' });
  return (operation === 'refunds.create' || operation === 'claims.refund' ? acts.refund : acts.pay)({ whom, amount: amount ?? '' });
}

/** The persons who work with the console, and what each role may do. */
export const people = extended('people', () => ({ actText }));
