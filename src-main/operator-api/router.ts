import type { Router } from '@orpc/server';
import type { contract } from '../../src-shared/operator-contract/contract.ts';
import type { OperatorContext } from './context.ts';
import { accountsHandlers } from './operations/accounts-handlers.ts';
import { activityHandlers } from './operations/activity-handlers.ts';
import { apiKeysHandlers } from './operations/api-keys-handlers.ts';
import { approvalsHandlers } from './operations/approvals-handlers.ts';
import { appsHandlers } from './operations/apps-handlers.ts';
import { backupsHandlers } from './operations/backups-handlers.ts';
import { desktopHandlers } from './operations/desktop-handlers.ts';
import { walletsHandlers } from './operations/elsewhere/wallets-handlers.ts';
import { pairsHandlers } from './operations/exchange/pairs-handlers.ts';
import { rateSourcesHandlers } from './operations/exchange/rate-sources-handlers.ts';
import { ratesHandlers } from './operations/exchange/rates-handlers.ts';
import { operations } from './operations/guarded-operations.ts';
import { healthHandlers } from './operations/health-handlers.ts';
import { lockHandlers } from './operations/lock-handlers.ts';
import { nodeHandlers } from './operations/node-handlers.ts';
import { requestsHandlers } from './operations/payment-requests-handlers.ts';
import { claimsHandlers } from './operations/payments/claims-handlers.ts';
import { refundLimitsHandlers, refundsHandlers } from './operations/payments/refunds-handlers.ts';
import { paymentsHandlers } from './operations/payments-handlers.ts';
import { invitationsHandlers } from './operations/peering/invitations-handlers.ts';
import { peersHandlers } from './operations/peers-handlers.ts';
import { peopleHandlers } from './operations/people/people-handlers.ts';
import { secondPersonHandlers, waitingHandlers } from './operations/people/waiting-handlers.ts';
import { waysHandlers } from './operations/people/ways-handlers.ts';
import { restoreHandlers } from './operations/restore-handlers.ts';
import { sessionsHandlers } from './operations/sessions-handlers.ts';
import { settingsHandlers } from './operations/settings-handlers.ts';
import { closingsHandlers } from './operations/shop/closings-handlers.ts';
import { printingHandlers } from './operations/shop/printing-handlers.ts';
import { productsHandlers } from './operations/shop/products-handlers.ts';
import { receiptsHandlers } from './operations/shop/receipts-handlers.ts';
import { reportsHandlers } from './operations/shop/reports-handlers.ts';
import { shopHandlers } from './operations/shop/shop-handlers.ts';
import { statementsHandlers } from './operations/shop/statements-handlers.ts';
import { tillsHandlers } from './operations/shop/tills-handlers.ts';

/** Every operation of the contract, with its handler. It is the same on every transport. */
export const router: Router<typeof contract, OperatorContext> = operations.router({
  lock: lockHandlers,
  node: nodeHandlers,
  accounts: accountsHandlers,
  payments: paymentsHandlers,
  refunds: refundsHandlers,
  claims: claimsHandlers,
  refundLimits: refundLimitsHandlers,
  requests: requestsHandlers,
  approvals: approvalsHandlers,
  apps: appsHandlers,
  peers: peersHandlers,
  wallets: walletsHandlers,
  invitations: invitationsHandlers,
  rates: ratesHandlers,
  rateSources: rateSourcesHandlers,
  pairs: pairsHandlers,
  backups: backupsHandlers,
  restore: restoreHandlers,
  people: peopleHandlers,
  secondPerson: secondPersonHandlers,
  waiting: waitingHandlers,
  sessions: sessionsHandlers,
  ways: waysHandlers,
  apiKeys: apiKeysHandlers,
  tills: tillsHandlers,
  settings: settingsHandlers,
  shop: shopHandlers,
  products: productsHandlers,
  closings: closingsHandlers,
  receipts: receiptsHandlers,
  printing: printingHandlers,
  reports: reportsHandlers,
  statements: statementsHandlers,
  activity: activityHandlers,
  health: healthHandlers,
  desktop: desktopHandlers,
});
