import { approvalsHandlers, appsHandlers } from './access-handlers.ts';
import { accountsHandlers } from './accounts-handlers.ts';
import { activityHandlers } from './activity-handlers.ts';
import { backupsHandlers } from './backups-handlers.ts';
import { desktopHandlers } from './desktop-handlers.ts';
import { operations } from './handlers.ts';
import { healthHandlers } from './health-handlers.ts';
import { lockHandlers } from './lock-handlers.ts';
import { nodeHandlers } from './node-handlers.ts';
import { paymentsHandlers } from './payments-handlers.ts';
import { peersHandlers } from './peers-handlers.ts';
import { ratesHandlers } from './rates-handlers.ts';
import { requestsHandlers } from './requests-handlers.ts';
import { restoreHandlers } from './restore-handlers.ts';
import { settingsHandlers } from './settings-handlers.ts';

/** Every operation of the contract, with its handler. It is the same on every transport. */
export const router = operations.router({
  lock: lockHandlers,
  node: nodeHandlers,
  accounts: accountsHandlers,
  payments: paymentsHandlers,
  requests: requestsHandlers,
  approvals: approvalsHandlers,
  apps: appsHandlers,
  peers: peersHandlers,
  rates: ratesHandlers,
  backups: backupsHandlers,
  restore: restoreHandlers,
  settings: settingsHandlers,
  activity: activityHandlers,
  health: healthHandlers,
  desktop: desktopHandlers,
});
