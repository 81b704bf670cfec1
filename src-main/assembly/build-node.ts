import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AuditThread } from '../audit/audit-thread.ts';
import { AuditPace, usedByOtherThreads } from '../audit/pace.ts';
import { SharedAudit } from '../audit/shared-audit.ts';
import { booksInDatabase, booksInFile } from '../backup/sources.ts';
import { ActivityCheck } from '../journal/activity-log.ts';
import { EventFeed, type EventListener, newestEventAt } from '../journal/events.ts';
import type { OperatorContext } from '../operator-api/context.ts';
import { AppLock } from '../operator-api/lock/app-lock.ts';
import { createOperatorApi } from '../operator-api/operator-api.ts';
import { ApiKeys } from '../operator-api/people/api-keys.ts';
import { People } from '../operator-api/people/people.ts';
import { OperatorSessions } from '../operator-api/people/sessions.ts';
import { Tills } from '../operator-api/tills/tills.ts';
import { Archive } from '../platform/archive/archive.ts';
import { archiveFolder } from '../platform/archive/archive-file.ts';
import { readEverywhere } from '../platform/archive/archive-frames.ts';
import { readArchiveInThread } from '../platform/archive/archive-reader.ts';
import { ClockWitnesses } from '../platform/clock-witnesses.ts';
import { DATABASE_FILE } from '../platform/data-folder/data-folder.ts';
import { Generation, keepCounting } from '../platform/data-folder/generation.ts';
import type { Logger } from '../platform/logs/logger.ts';
import { createOutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import { Refusals } from '../platform/overload/refusals.ts';
import { LastLook } from '../platform/public-address/last-look.ts';
import { Retention } from '../platform/retention/retention.ts';
import { type Config, isLoopback } from '../platform/settings/config.ts';
import { version } from '../platform/version.ts';
import { assembleAccess } from './access.ts';
import { assembleBackups } from './backups.ts';
import { assembleCheckout } from './checkout.ts';
import { diskReport, measureInThread } from './disk.ts';
import { addressOf } from './listening.ts';
import { loggedHttp } from './logged-http.ts';
import type { OpenedNode } from './open-node.ts';
import { assemblePayments } from './payments.ts';
import { assembleRateSources } from './rate-sources.ts';
import { rulesKeeping } from './retention.ts';
import { assembleSignIn } from './sign-in.ts';
import { SignatureThread } from './signature-thread.ts';
import type { Starting } from './starting.ts';

/** Wires the parts of a node over its opened books. The node does not answer anybody yet and continues no payment. */
export async function buildNode(starting: Starting, opened: OpenedNode) {
  const { config, host, openings } = starting;
  const { core, secrets, replica } = opened;
  const witnesses = new ClockWitnesses(core.clock);
  const outbound = createOutboundHttp({ development: config.development, witnesses });
  const http = loggedHttp(outbound, core.log);
  openings.add(() => http.close());

  const auditThread = startAudit(starting, opened);
  const payments = assemblePayments({ ...core, secrets, http, peerHttp: outbound, config, replica, printer: host.desktop?.printers });
  const { walletAddresses, incomingPayments, operatorPayments, unknownPayments, refunds, receipts, printing } = payments;
  const { rates, exchangeAccounts, remoteWallets } = payments;
  const { worker: ratesWorker, ...exchange } = assembleRateSources({ ...core, http: outbound, replica });
  const signatures = new SignatureThread(join(host.rendererDir, '../main/signature-worker.js'));
  openings.add(() => signatures.stop());
  const access = assembleAccess({
    ...{ ...core, secrets, http, config, walletAddresses, rates, witnesses, replica },
    payees: payments.payees,
    nodeKeys: remoteWallets.keys,
    checkSignature: signatures.check,
  });
  openings.add(() => access.stop());
  const checkout = assembleCheckout({ ...core, secrets, payments, replica });

  const events = new EventFeed(core);
  openings.add(() => events.close());
  if (core.log.isLevelEnabled('debug')) openings.add(await events.listen(logEvents(core.log)));
  const refusals = new Refusals(core);
  const folder = archiveFolder(config.dataDir);
  const rules = rulesKeeping(new Archive({ ...core, folder: opened.own && folder }), config);
  const configuration = shownConfiguration(config, opened);
  const upkeep = await buildUpkeep(starting, opened);
  const sessions = new OperatorSessions(core);
  const operator = createOperatorApi({
    ...{ sessions, people: new People({ ...core, sessions }), ...assembleSignIn(core, secrets) },
    consoleUrl: config.consoleUrl,
    ...{ apiKeys: new ApiKeys(core), tills: new Tills(core) },
    ...upkeep,
    ...core,
    ...{ walletAddresses, incomingPayments, operatorPayments, unknownPayments, refunds, receipts, printing },
    ...{ rates, exchangeAccounts, ...exchange },
    ...{ claims: checkout.claims.operator, claimLinks: checkout.claims.links },
    peers: payments.peers.operator,
    reach: payments.reach,
    peering: payments.peers.peering,
    ...{ access, events, configuration, witnesses },
    nodeKeys: remoteWallets.keys,
    activityCheck: new ActivityCheck(core.database),
    lastLook: new LastLook(core.clock),
    audit: opened.audit,
    disk: diskReport({
      ...{ ...core, rules },
      measure: () =>
        opened.shared?.database.measure() ??
        measureInThread(join(host.rendererDir, '../main/disk-worker.js'), join(config.dataDir, DATABASE_FILE)),
    }),
    readArchive: readEverywhere(core.database.readAside, readArchiveInThread(join(host.rendererDir, '../main/archive-worker.js'), folder)),
    shared: opened.shared && { ownReplica: replica.id, aboutServer: () => opened.shared.database.aboutServer() },
    certificate: opened.certificate,
    openFiles: opened.openFiles,
    refusals,
    restores: opened.own?.restores,
    desktop: host.desktop,
    about: {
      version,
      host: config.host,
      publicUrl: core.urls.origin,
      reachableByOthers: config.publicUrl !== undefined && !isLoopback(new URL(config.publicUrl).hostname),
      development: config.development,
      database: opened.shared?.address.shown ?? null,
    },
  });
  const retention = new Retention({ ...core, rules, isMine: () => replica.doesChores, lastKnown: () => newestEventAt(core.database.read) });
  return { payments, ratesWorker, access, checkout, events, operator, configuration, retention, refusals, auditThread, lock: upkeep.lock };
}

/**
 * Starts the check of the books, which goes on for ever.
 * @returns the thread that checks books of this computer; undefined for a shared database.
 */
function startAudit({ host, config, openings }: Starting, opened: OpenedNode): AuditThread | undefined {
  const auditThread =
    opened.own &&
    new AuditThread({
      ...{ book: opened.audit, log: opened.core.log },
      workerFile: join(host.rendererDir, '../main/audit-worker.js'),
      databaseFile: join(config.dataDir, DATABASE_FILE),
    });
  openings.add(() => auditThread?.stop());
  auditThread?.start();
  const sharedAudit = opened.shared && auditOfShared(opened);
  openings.add(() => sharedAudit?.stop());
  sharedAudit?.start();
  return auditThread;
}

export type BuiltNode = Awaited<ReturnType<typeof buildNode>>;

/** Wires the console's lock, the backups, and the generation by which the node notices books restored from a copy. */
async function buildUpkeep({ config, host, openings }: Starting, opened: OpenedNode) {
  const { core, secrets, own, shared, audit, tasks, replica } = opened;
  const dataFolder = config.dataDir;
  if (own !== undefined) {
    const generation = new Generation({ database: core.database, dataFolder });
    openings.add(keepCounting(generation, (error) => core.log.error({ err: error }, 'the next generation could not be stored')));
  }
  const migrations = join(host.rendererDir, '../../drizzle');
  const { backups, folder, stop } = assembleBackups({
    ...{ ...core, dataFolder, secrets, audit, isMine: () => replica.doesChores },
    ...(shared === undefined
      ? { books: booksInFile(join(dataFolder, DATABASE_FILE), tasks.make), storedSecrets: () => own.secretsFile.read() }
      : {
          books: booksInDatabase(shared.database, { address: shared.address, migrations, place: shared.replicas.place }, tasks.export),
          storedSecrets: () => shared.storedSecrets,
          onGone: (wake: () => void) => shared.replicas.onGone(async () => undefined, wake),
        }),
  });
  openings.add(stop);
  const lock = new AppLock({ ...core, hasOthers: shared !== undefined });
  await lock.load();
  openings.add(() => lock.close());
  return { backups, backupFolder: folder, lock };
}

/** The audit of a shared database is among the chores, which one replica does. */
const auditOfShared = ({ core, audit, replica }: OpenedNode): SharedAudit =>
  new SharedAudit({
    ...{ ...core, book: audit, isMine: () => replica.doesChores },
    pace: new AuditPace(core.clock, usedByOtherThreads),
    rest: (ms, signal) => delay(ms, undefined, { ref: false, signal }),
  });

/** The part of the configuration that the operator may read. */
const shownConfiguration = (config: Config, { listen, own }: OpenedNode): OperatorContext['configuration'] => ({
  publicUrlGiven: config.publicUrl !== undefined,
  listen: addressOf(listen),
  console: config.console ? addressOf(config.console) : null,
  tokenLifetime: config.tokenLifetime,
  keepDays: config.keepDays,
  archiveDays: config.archiveDays,
  logLevel: config.logLevel,
  trustedProxies: [...config.trustedProxies],
  dataFolder: config.dataDir,
  // In a shared database they are sealed.
  keysEncrypted: own === undefined || own.protection !== undefined,
});

/**
 * Writes the journal into the log, for a person who looks for the cause of a problem. No event carries a secret; see
 * NewEvent.
 */
const logEvents =
  (log: Logger): EventListener =>
  (batch) => {
    for (const { type, subject, position, body } of batch) log.debug({ position: position.toString(), subject, ...body }, type);
  };
