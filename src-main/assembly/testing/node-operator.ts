import { join } from 'node:path';
import { createRouterClient } from '@orpc/server';
import type { DesktopSettings } from '../../../src-shared/operator-contract/desktop.ts';
import { Backups } from '../../backup/backups.ts';
import { Restores } from '../../backup/restores.ts';
import { booksInFile } from '../../backup/sources.ts';
import { runBackupTask } from '../../backup/tasks.ts';
import { openRateSources } from '../../exchange/testing/sources.ts';
import { ActivityCheck } from '../../journal/activity-log.ts';
import { EventFeed } from '../../journal/events.ts';
import type { OperatorContext } from '../../operator-api/context.ts';
import { AppLock } from '../../operator-api/lock/app-lock.ts';
import { ApiKeys } from '../../operator-api/people/api-keys.ts';
import { People } from '../../operator-api/people/people.ts';
import { OperatorSessions } from '../../operator-api/people/sessions.ts';
import { router } from '../../operator-api/router.ts';
import { Tills } from '../../operator-api/tills/tills.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { LastLook } from '../../platform/public-address/last-look.ts';
import { SecretsFile } from '../../platform/secrets/node-secrets.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import { TestComputer } from '../../printing/testing/test-computer.ts';
import { assembleSignIn } from '../sign-in.ts';
import type { TestNode } from './test-node.ts';

/** Opens the operator's operations over a whole node. */
export function openOperator(node: TestNode, folder: string) {
  const { database, clock, urls, payments, access } = node;
  const log = createLogger('silent');
  const { answers: rateAnswers, ...exchange } = openRateSources({ database, clock });
  const settings: DesktopSettings = { closeToTray: true, startAtLogin: false, hideAmounts: 'always', quietHours: null };
  const sessions = new OperatorSessions({ database, clock, log });
  const context: OperatorContext = {
    lock: new AppLock({ database, clock, log, cost: { N: 2, r: 1, p: 1 } }),
    ...{ database, clock, log, urls, backupFolder: folder },
    events: new EventFeed({ database, log }),
    walletAddresses: payments.walletAddresses,
    incomingPayments: payments.incomingPayments,
    operatorPayments: payments.operatorPayments,
    unknownPayments: payments.unknownPayments,
    refunds: payments.refunds,
    receipts: payments.receipts,
    printing: payments.printing,
    ...{ claims: node.checkout.claims.operator, claimLinks: node.checkout.claims.links },
    access,
    rates: payments.rates,
    ...exchange,
    exchangeAccounts: payments.exchangeAccounts,
    peers: payments.peers.operator,
    reach: payments.reach,
    peering: payments.peers.peering,
    backups: new Backups({
      ...{ database, clock, log, dataFolder: folder, version: '0.0.0' },
      secrets: () => new SecretsFile(folder).read(),
      seal: new Seal(Buffer.alloc(32, 3)),
      audit: node.audit,
      books: booksInFile(node.test.file, (task) => runBackupTask({ ...task, workFactor: 4 })),
      isMine: () => true,
    }),
    restores: new Restores({
      ...{ dataFolder: folder, protection: undefined, migrations: join(import.meta.dirname, '../../../drizzle'), clock, log },
      ...{ openBackup: runBackupTask, restart: () => undefined },
    }),
    ...{ sessions, people: new People({ database, clock, sessions }) },
    ...assembleSignIn({ database, clock, log, urls }, { derive: () => Buffer.alloc(32, 5) }),
    ...{ apiKeys: new ApiKeys({ database, clock, log }), tills: new Tills({ database, clock, log }) },
    desktop: {
      read: () => ({ settings, startsAtLogin: true, keysKeptBy: 'keychain' }),
      change: () => true,
      printers: new TestComputer(),
    },
    nodeKeys: payments.remoteWallets.keys,
    activityCheck: new ActivityCheck(database),
    lastLook: new LastLook(clock),
    witnesses: node.witnesses,
    readArchive: async () => ({ files: [] }),
    audit: node.audit,
    disk: () => Promise.reject(new Error('unused')),
    configuration: {
      ...{ publicUrlGiven: true, listen: '127.0.0.1:3000', console: null, tokenLifetime: 600, keepDays: 30, archiveDays: 90 },
      logLevel: 'info',
      ...{ trustedProxies: [], dataFolder: folder, keysEncrypted: false },
    },
    about: { version: '0.0.0', host: 'desktop', publicUrl: urls.origin, reachableByOthers: true, development: false, database: null },
  };
  return { context, rateAnswers, client: createRouterClient(router, { context: { ...context, role: 'owner' } }) };
}
