import type { PaymentStatus } from '../../operator-contract/payments/payments.ts';
import { payments } from '../console/payments.ts';
import { counted } from '../words.ts';

/** The notifications that the system shows for the desktop app. */
export const notices = {
  someApp: 'An app',
  /** The state of an incoming payment, as its list says it. */
  state: (status: PaymentStatus) => payments.statuses[status],
  into: (account: string) => `Into ${account}`,
  stateOf: (status: PaymentStatus, amount: string, account: string) => `${payments.statuses[status]}: ${amount} into ${account}`,
  paymentFailed: 'A payment failed',
  paymentFrom: (account: string) => `A payment from ${account} failed`,
  paymentOf: (amount: string, account: string) => `A payment of ${amount} from ${account} failed`,
  asks: (app: string) => `${app} asks for your approval`,
  asksAdvice: 'Look at what it wants, then allow or refuse it.',
  mostUsed: (app: string) => `${app} has used most of its budget`,
  allUsed: (app: string) => `${app} has used all of its budget`,
  spentOf: (spent: string, limit: string) => `${spent} of ${limit}`,
  manyPaid: (count: number) => `You were paid ${counted(count, 'time', 'times')}`,
  manyFailed: (count: number) => `${counted(count, 'payment', 'payments')} failed`,
  manyAsk: (count: number) => `${counted(count, 'request asks', 'requests ask')} for your approval`,
} as const;
