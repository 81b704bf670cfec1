import type { ContractRouter } from '@orpc/contract';
import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { approvals } from './approvals.ts';
import { apps } from './apps.ts';
import { backups } from './backups.ts';
import { apiKeys } from './console/api-keys.ts';
import { people } from './console/people.ts';
import { secondPerson, waiting } from './console/second-person.ts';
import { sessions } from './console/sessions.ts';
import { tills } from './console/tills.ts';
import { ways } from './console/ways.ts';
import { desktop } from './desktop.ts';
import { pairs } from './exchange/pairs.ts';
import { rateSources } from './exchange/rate-sources.ts';
import { rates } from './exchange/rates.ts';
import { health } from './health.ts';
import { lock } from './lock.ts';
import { node } from './node.ts';
import type { OperationMeta } from './operation.ts';
import { claims } from './payments/claims.ts';
import { requests } from './payments/payment-requests.ts';
import { payments } from './payments/payments.ts';
import { refundLimits, refunds } from './payments/refunds.ts';
import { wallets } from './payments/wallets.ts';
import { invitations } from './peering/invitations.ts';
import { peers } from './peers.ts';
import { restore } from './restore.ts';
import { settings } from './settings.ts';
import { closings } from './shop/closings.ts';
import { printing } from './shop/printing.ts';
import { products } from './shop/products.ts';
import { receipts } from './shop/receipts.ts';
import { reports } from './shop/reports.ts';
import { shop } from './shop/shop.ts';
import { statements } from './shop/statements.ts';

/**
 * Every operation of the console, defined once. The desktop window calls the operations over a MessagePort. The browser
 * of a headless node and scripts call them over HTTP. The node parses each input and each output by these schemas. An
 * operation that does not begin with `reads` or `does` does not compile.
 */
export const contract = {
  lock,
  node,
  accounts,
  payments,
  refunds,
  claims,
  refundLimits,
  approvals,
  apps,
  peers,
  wallets,
  invitations,
  rates,
  rateSources,
  pairs,
  requests,
  backups,
  restore,
  desktop,
  people,
  secondPerson,
  waiting,
  sessions,
  ways,
  apiKeys,
  tills,
  settings,
  shop,
  products,
  closings,
  receipts,
  printing,
  reports,
  statements,
  activity,
  health,
} satisfies ContractRouter<OperationMeta>;

/** The dotted paths of all operations in `T`. */
type PathsOf<T> = { [K in keyof T & string]: T[K] extends { '~orpc': unknown } ? K : `${K}.${PathsOf<T[K]>}` }[keyof T & string];

/** The name of an operation, such as `accounts.deposit`. */
export type OperationName = PathsOf<typeof contract>;
