import type { OperationName } from '../contract.ts';
import type { Topic } from '../node.ts';

/**
 * The answer to a call of a till's device, beside what the contract allows to a cashier:
 * - `yes`: it gets the answer that a cashier gets;
 * - `narrowed`: the handler answers with what selling needs, and no more;
 * - `sale`: its `id` names a sale, and only one of this till counts.
 */
export type TillRule = 'yes' | 'narrowed' | 'sale';

/** What the device of a till may call. Every other operation is refused to it. */
export const TILL_OPERATIONS: Readonly<Partial<Record<OperationName, TillRule>>> = {
  'node.info': 'narrowed',
  'node.changes': 'narrowed',
  'requests.create': 'narrowed',
  'requests.accounts': 'narrowed',
  'requests.get': 'sale',
  'requests.bill': 'sale',
  'requests.cancel': 'sale',
  'requests.sales': 'narrowed',
  'requests.failedAttempts': 'sale',
  'people.me': 'narrowed',
  'settings.till': 'yes',
  'shop.get': 'yes',
  'products.list': 'narrowed',
  'products.byCode': 'narrowed',
  'receipts.issue': 'sale',
  'receipts.get': 'sale',
  'printing.state': 'yes',
  'printing.ofReceipt': 'sale',
  'printing.print': 'sale',
};

/**
 * The topics of which the device of a till may hear: with `own` only of its sales and of itself, with `no` of nothing.
 * A topic that is missing here does not compile.
 */
export const TILL_TOPICS: Readonly<Record<Topic, 'yes' | 'own' | 'no'>> = {
  accounts: 'no',
  payments: 'no',
  requests: 'own',
  approvals: 'no',
  apps: 'no',
  keys: 'no',
  peers: 'no',
  rates: 'no',
  backups: 'no',
  settings: 'yes',
  products: 'yes',
  activity: 'no',
  node: 'no',
  lock: 'no',
  sessions: 'no',
  people: 'no',
  waiting: 'no',
  tills: 'own',
};

/** The errors that the device of a till hears when the node refuses it. */
export const TILL_ERRORS = {
  TILL_MAY_NOT: { status: 403, message: 'A till may sell, and nothing else.' },
  TILL_PAUSED: { status: 403, message: 'This till was paused in the console.' },
  TILL_REMOVED: { status: 403, message: 'This till was removed in the console.' },
  TILL_NOT_PAIRED: { status: 401, message: 'This device is not paired.' },
} as const;
export type TillError = keyof typeof TILL_ERRORS;
