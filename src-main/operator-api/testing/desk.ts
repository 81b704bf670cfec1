import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createORPCClient } from '@orpc/client';
import { RPCLink as FetchLink } from '@orpc/client/fetch';
import { RPCLink as PortLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import { createRouterClient } from '@orpc/server';
import { pino } from 'pino';
import type { contract } from '../../../src-shared/operator-contract/contract.ts';
import { Backups } from '../../backup/backups.ts';
import { Restores } from '../../backup/restores.ts';
import { booksInFile } from '../../backup/sources.ts';
import { runBackupTask } from '../../backup/tasks.ts';
import { openRateSources } from '../../exchange/testing/sources.ts';
import { ActivityCheck } from '../../journal/activity-log.ts';
import { EventFeed } from '../../journal/events.ts';
import { openPayments, type Payments } from '../../payments/testing/payments.ts';
import { openTestPeers } from '../../peers/testing/peers.ts';
import { archiveFolder } from '../../platform/archive/archive-file.ts';
import { readArchive } from '../../platform/archive/archive-reader.ts';
import { ClockWitnesses } from '../../platform/clock-witnesses.ts';
import type { Core } from '../../platform/core.ts';
import type { Logger } from '../../platform/logs/logger.ts';
import { LastLook } from '../../platform/public-address/last-look.ts';
import { refuse } from '../../platform/result.ts';
import { SecretsFile } from '../../platform/secrets/node-secrets.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import { Printing, queueIssued } from '../../printing/print-jobs.ts';
import { ReceiptKeys } from '../../receipts/receipt-keys.ts';
import { Receipts } from '../../receipts/receipts.ts';
import { NodeKeys } from '../../remote-wallets/node-keys.ts';
import { OPERATOR_TOKEN_FILE } from '../console/console-files.ts';
import type { ConsoleOptions } from '../console/console-server.ts';
import type { OperatorContext } from '../context.ts';
import { AppLock } from '../lock/app-lock.ts';
import type { OperatorAccess } from '../operator-access.ts';
import { createOperatorApi } from '../operator-api.ts';
import { ApiKeys } from '../people/api-keys.ts';
import { KnownBrowsers } from '../people/known-browsers.ts';
import { People } from '../people/people.ts';
import { OperatorSessions } from '../people/sessions.ts';
import { router } from '../router.ts';
import { SignInAttempts } from '../sign-in/attempts.ts';
import { Challenges } from '../sign-in/challenges.ts';
import { Passkeys } from '../sign-in/passkeys.ts';
import { Passwords } from '../sign-in/passwords.ts';
import { Pins } from '../sign-in/pins.ts';
import { Tills } from '../tills/tills.ts';

export type Client = ContractRouterClient<typeof contract>;

export const PAGE = '<!doctype html><meta name="paydesk-style-nonce" content="__STYLE_NONCE__"><i data-folder="__DATA_FOLDER__"></i>';
const VERSION = '0.0.0';
/** Tests hash passphrases and passwords quickly. */
const CHEAP = { N: 2, r: 1, p: 1 };

/** Writes what a built console consists of: its page, and files with and without compressed copies beside them. */
function writeConsole(rendererDir: string): void {
  mkdirSync(join(rendererDir, 'assets'), { recursive: true });
  writeFileSync(join(rendererDir, 'index.html'), PAGE);
  writeFileSync(join(rendererDir, 'customer.html'), `<i>customer</i>${PAGE}`);
  const assets = {
    'main-4f2a.js': 'console.log(1);',
    'large-9c1e.js': 'console.log(2);',
    'large-9c1e.js.br': 'as brotli',
    'large-9c1e.js.gz': 'as gzip',
  };
  for (const [name, text] of Object.entries(assets)) writeFileSync(join(rendererDir, 'assets', name), text);
}

/** Opens a log that drops nothing, and keeps its lines in `logged`. */
function openLog(): { log: Logger; logged: string[] } {
  const logged: string[] = [];
  const lines = new Writable({
    write: (line, _encoding, done) => {
      logged.push(String(line));
      done();
    },
  });
  return { log: pino({ level: 'trace' }, lines), logged };
}

/** Opens the backups and restores of a node. They stretch passphrases much less than a real node does. */
function openBackups(folder: string, core: Core & Pick<Payments, 'test'>) {
  return {
    backups: new Backups({
      ...core,
      dataFolder: folder,
      secrets: () => new SecretsFile(folder).read(),
      version: VERSION,
      seal: new Seal(Buffer.alloc(32, 3)),
      audit: { damages: [] },
      books: booksInFile(core.test.file, (task) => runBackupTask({ ...task, workFactor: 4 })),
      isMine: () => true,
    }),
    restores: new Restores({
      ...core,
      dataFolder: folder,
      protection: undefined,
      migrations: join(import.meta.dirname, '../../../drizzle'),
      openBackup: runBackupTask,
      restart: () => undefined,
    }),
    backupFolder: folder,
  };
}

const configurationOf = (dataFolder: string): OperatorContext['configuration'] => ({
  publicUrlGiven: false,
  listen: '127.0.0.1:3000',
  console: null,
  tokenLifetime: 600,
  keepDays: 30,
  archiveDays: 90,
  logLevel: 'info',
  trustedProxies: [],
  dataFolder,
  keysEncrypted: false,
});

/** Wires the ways in which persons sign in. Passwords are hashed quickly. */
function openSignIn(core: Core) {
  const sessions = new OperatorSessions(core);
  const challenges = new Challenges(core);
  const seal = new Seal(Buffer.alloc(32, 5));
  return {
    ...{ sessions, people: new People({ ...core, sessions }), passkeys: new Passkeys({ ...core, challenges }) },
    passwords: new Passwords({ ...core, challenges, attempts: new SignInAttempts(core), seal, cost: CHEAP }),
    ...{ pins: new Pins({ ...core, seal, cost: CHEAP }), knownBrowsers: new KnownBrowsers(core) },
  };
}

/** Opens the receipts, and the queue of a printer to which nobody takes what waits. */
function openReceipts({ database, clock, walletAddresses }: Payments) {
  const keys = new ReceiptKeys({ stream: Buffer.alloc(32, 1) });
  const receipts = new Receipts({ database, clock, walletAddresses, keys, onIssued: queueIssued });
  return { receipts, printing: new Printing({ database, clock, receipts, onQueued: () => undefined }) };
}

/** Opens the operator's side of a node, with real payments, ledger and database. `logged` holds what it logs. */
export function openDesk(payments: Payments = openPayments()) {
  const {
    test,
    database,
    clock,
    urls,
    walletAddresses,
    incomingPayments,
    operatorPayments,
    unknownPayments,
    refunds,
    rates,
    exchangeAccounts,
  } = payments;
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-desk-'));
  const rendererDir = join(folder, 'renderer');
  writeConsole(rendererDir);
  const { log, logged } = openLog();
  const core = { database, clock, log, urls };
  const events = new EventFeed(core);
  const peers = openTestPeers(core);
  const { answers: rateAnswers, ...exchange } = openRateSources(core);
  const context: OperatorContext & ReturnType<typeof openBackups> = {
    ...core,
    ...openBackups(folder, { ...core, test }),
    lock: new AppLock({ ...core, cost: CHEAP }),
    ...openSignIn(core),
    ...{ apiKeys: new ApiKeys(core), tills: new Tills(core) },
    reach: { report: async () => refuse('own_wallet'), anyBack: async () => undefined },
    peers: peers.operator,
    peering: peers.peering,
    events,
    walletAddresses,
    ...openReceipts(payments),
    incomingPayments,
    unknownPayments,
    refunds,
    ...{ claims: payments.claims, claimLinks: payments.claimLinks },
    operatorPayments,
    access: { ...nobody },
    ...{ rates, exchangeAccounts, ...exchange },
    nodeKeys: new NodeKeys({ derive: () => Buffer.alloc(32, 4) }),
    activityCheck: new ActivityCheck(database),
    lastLook: new LastLook(clock),
    witnesses: new ClockWitnesses(clock),
    audit: { damages: [], failedAt: undefined },
    readArchive: (files, search) => readArchive({ folder: archiveFolder(folder), files, search }),
    disk: async () => ({
      at: new Date(clock.now()),
      total: 4_096,
      free: 0,
      room: 1_000_000,
      shrinks: true,
      kinds: [],
      removed: [],
      perDay: null,
      held: null,
    }),
    configuration: configurationOf(folder),
    about: { version: VERSION, host: 'headless', publicUrl: urls.origin, reachableByOthers: false, development: false, database: null },
  };
  const api = createOperatorApi(context);
  const startConsole = (port = 0, network: Omit<Partial<ConsoleOptions>, 'port'> = {}) =>
    api.startConsole({ host: '127.0.0.1', port, rendererDir, dataFolder: folder, ...network });
  const close = async () => {
    await context.lock.close();
    await events.close();
    await payments.close();
    rmSync(folder, { recursive: true });
  };
  /** The operations for a caller of whom only this is known. */
  const callsAs = (caller: Pick<OperatorContext, 'role' | 'isStillIn' | 'doer' | 'session' | 'till'>) =>
    createRouterClient(router, { context: { ...context, ...caller } });
  const token = () => readFileSync(join(folder, OPERATOR_TOKEN_FILE), 'utf8').trim();
  return { ...payments, context, api, rateAnswers, folder, logged, startConsole, callsAs, token, close };
}

export type Desk = ReturnType<typeof openDesk>;

/** The two transports to the same operations. */
export const TRANSPORTS: Record<string, (desk: Desk) => Promise<{ client: Client; close(): Promise<void> }>> = {
  'a port': async (desk) => {
    const { port1, port2 } = new MessageChannel();
    desk.api.servePort(port2);
    port1.start();
    port2.start();
    return {
      client: createORPCClient<Client>(new PortLink({ port: port1 })),
      close: async () => port1.close(),
    };
  },
  HTTP: async (desk) => {
    const { url, close } = await desk.startConsole();
    const headers = { authorization: `Bearer ${desk.token()}` };
    return { client: createORPCClient<Client>(new FetchLink({ url: `${url}/operator/rpc`, headers })), close };
  },
};

const unused = () => Promise.reject(new Error('this test has no access wing'));
const nobody: OperatorAccess = {
  approvals: { approve: unused, deny: unused },
  views: {
    listApprovals: async () => [],
    getApproval: async () => undefined,
    listGrants: async () => ({ items: [], nextCursor: null, free: 0 }),
    getGrant: async () => undefined,
    revokeGrant: unused,
    revokeAllOf: unused,
    revokeSeveral: unused,
    allowAgain: unused,
    listFrozen: async () => [],
    countFrozen: async () => 0,
  },
  tokens: { rotateByOperator: unused, revokeByOperator: unused },
  tiers: {
    trustIn: unused,
    choose: unused,
    isOwn: () => false,
    limits: () => {
      throw new Error('this test has no access wing');
    },
  },
  clientKeys: { list: async () => [], add: unused, revoke: unused },
};
