import type { PaymentStatus } from '../../operator-contract/payments/payments.ts';
import { payments } from '../console/payments.ts';
import { area, extended } from '../language/language.ts';

const text = area('notices');

/** The notifications that the system shows for the desktop app. */
export const notices = extended('notices', () => ({
  /** The state of an incoming payment, as its list says it. */
  state: (status: PaymentStatus) => payments.statuses[status],
  stateOf: (status: PaymentStatus, amount: string, account: string) => text.stateOf({ status: payments.statuses[status], amount, account }),
}));
