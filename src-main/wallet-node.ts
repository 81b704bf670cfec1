import { createServer } from 'node:net';
import { join } from 'node:path';
import { assembleAccess } from './assembly/access.ts';
import { assembleBackups, BackupThreads } from './assembly/backups.ts';
import { assembleCheckout } from './assembly/checkout.ts';
import { continueBooks, refuseLostParts } from './assembly/continue-books.ts';
import { loggedHttp } from './assembly/logged-http.ts';
import { openDatabase } from './assembly/open-database.ts';
import { adoptOwnClients } from './assembly/own-clients.ts';
import { assemblePayments } from './assembly/payments.ts';
import { listenPublicly } from './assembly/public-api.ts';
import { SignatureThread } from './assembly/signature-thread.ts';
import { finishReplacement } from './backup/replacement.ts';
import { Restores } from './backup/restores.ts';
import { ActivityCheck } from './journal/activity-log.ts';
import { EventFeed, type EventListener } from './journal/events.ts';
import { countEarlierDays } from './ledger/days.ts';
import type { OperatorContext } from './operator-api/context.ts';
import type { DesktopHost } from './operator-api/desktop-host.ts';
import { AppLock } from './operator-api/lock/app-lock.ts';
import { createOperatorApi, type OperatorApi } from './operator-api/operator-api.ts';
import { fillSearchTexts } from './payments/search-text.ts';
import { systemClock } from './platform/clock.ts';
import { openDataFolder } from './platform/data-folder/data-folder.ts';
import { Generation, keepCounting } from './platform/data-folder/generation.ts';
import { fileTrouble, ReportedError } from './platform/errors.ts';
import { armFailPoint } from './platform/fail-points.ts';
import type { Logger } from './platform/logs/logger.ts';
import { createOutboundHttp } from './platform/outbound-http/outbound-http.ts';
import { openPublicUrls } from './platform/public-address/origins.ts';
import { TlsCertificate } from './platform/public-address/tls-certificate.ts';
import { SecretsFile, workingSecrets } from './platform/secrets/node-secrets.ts';
import { protectionOf, type SecretsProtection } from './platform/secrets/secrets-protection.ts';
import { type Config, isLoopback, type Listen } from './platform/settings/config.ts';
import { version } from './platform/version.ts';

/** Where the built parts of paydesk lie. */
export interface BuiltParts {
  /** The console's files, `out/renderer` in the folder of the app; the database's migrations are in `drizzle` there. */
  rendererDir: string;
}

/** The program around a node. */
export interface Host extends BuiltParts {
  /** What encrypts the node's secrets on the disk; without it, what the configuration says. */
  protection?: SecretsProtection | undefined;
  /** The desktop app's own settings, for its console. */
  desktop?: DesktopHost | undefined;
}

/** A running node. */
export interface WalletNode {
  readonly publicUrl: string;
  /** Undefined on the desktop, whose console has no address. */
  readonly consoleUrl: string | undefined;
  readonly operator: OperatorApi;
  /** Tells the host what was committed, from now on; see {@link EventFeed.listen}. */
  readonly events: Pick<EventFeed, 'listen'>;
  /** Resolves, once, with the reason when the node cannot go on; its host then stops it. */
  readonly failed: Promise<Error>;
  /**
   * Resolves when the node is to be closed and started again, with what to start it with: the same, and the ports it has found. Other books lie in its folder
   * then.
   */
  readonly restart: Promise<Config>;
  /** Says that the computer has slept: whatever became due meanwhile is taken up at once. */
  wake(): void;
  /** Takes no new requests, lets packets under way end, and closes the books; once, however often it is called. */
  close(): Promise<void>;
}

/** How long a node that is to start again answers what it was asked, in milliseconds. */
const ANSWERED_MS = 250;

/** Undoes what was opened, last first, also when the rest could not be opened. */
class Openings {
  readonly #closers: (() => unknown)[] = [];
  add(close: () => unknown): void {
    this.#closers.push(close);
  }
  async close(): Promise<void> {
    for (const close of this.#closers.splice(0).reverse()) await close();
  }
}

/**
 * Builds and starts a node: the only place that wires its parts together.
 * @throws ReportedError with what to do; nothing stays open then.
 */
export async function startWalletNode(config: Config, log: Logger, host: Host): Promise<WalletNode> {
  const openings = new Openings();
  try {
    return await start(config, log, host, openings);
  } catch (error) {
    await openings.close();
    throw fileTrouble(error, config.dataDir) ?? error;
  }
}

async function start(config: Config, log: Logger, { rendererDir, protection, desktop }: Host, openings: Openings): Promise<WalletNode> {
  armFailPoint(config.failPoint);
  const clock = systemClock;
  const failed = Promise.withResolvers<Error>();
  const restart = Promise.withResolvers<void>();

  const lock = openDataFolder(config.dataDir);
  openings.add(() => lock.release());
  finishReplacement(config.dataDir);
  refuseLostParts(config.dataDir);
  const keys = protection ?? protectionOf(config);
  const migrations = join(rendererDir, '../../drizzle');
  const threads = new BackupThreads(join(rendererDir, '../main/backup-worker.js'));
  const restores = new Restores({
    ...{ dataFolder: config.dataDir, protection: keys, migrations, clock, log },
    openBackup: threads.run,
    // The answer to whoever asked for it goes out first.
    restart: () => setTimeout(restart.resolve, ANSWERED_MS),
  });
  // After the books are closed, and before the folder is let go of.
  openings.add(() => restores.putInPlace());
  openings.add(() => threads.stop());
  const secretsFile = new SecretsFile(config.dataDir, keys);
  secretsFile.read();
  const database = await openDatabase(join(config.dataDir, 'paydesk.db'), migrations, { onStopped: failed.resolve });
  openings.add(() => database.close());
  await continueBooks({ database, dataFolder: config.dataDir, secretsFile, clock, log });
  const secrets = workingSecrets(secretsFile.read());
  await fillSearchTexts(database);
  await countEarlierDays(database);

  const listen = await choosePort(config.listen);
  const certificate = config.tls && new TlsCertificate(config.tls);
  openings.add(() => certificate?.close());
  const urls = await openPublicUrls(database, config.publicUrl ?? originOf(listen, certificate ? 'https' : 'http'), clock.now());
  await adoptOwnClients(database, urls);
  const outbound = createOutboundHttp({ development: config.development });
  const http = loggedHttp(outbound, log);
  openings.add(() => http.close());

  const payments = assemblePayments({ database, clock, log, urls, secrets, http, peerHttp: outbound, config });
  const { walletAddresses, remoteWallets } = payments;
  const signatures = new SignatureThread(join(rendererDir, '../main/signature-worker.js'));
  openings.add(() => signatures.stop());
  const access = assembleAccess({
    ...{ database, clock, log, urls, secrets, http, config, walletAddresses },
    nodeKeys: remoteWallets.keys,
    checkSignature: signatures.check,
  });
  openings.add(() => access.stop());

  const events = new EventFeed(database);
  openings.add(() => events.close());
  if (log.isLevelEnabled('debug')) openings.add(await events.listen(logEvents(log)));
  const generation = new Generation({ database, dataFolder: config.dataDir });
  openings.add(keepCounting(generation, (error) => log.error({ err: error }, 'the generation could not be counted on')));
  const {
    backups,
    folder: backupFolder,
    stop: stopBackups,
  } = assembleBackups({
    database,
    dataFolder: config.dataDir,
    makeBackup: threads.run,
    secrets,
    storedSecrets: () => secretsFile.read(),
    clock,
    log,
  });
  openings.add(stopBackups);
  const appLock = new AppLock({ database, clock, log });
  await appLock.load();
  openings.add(() => appLock.close());
  const configuration = shownConfiguration(config, listen, keys);
  const operator = createOperatorApi({
    lock: appLock,
    database,
    clock,
    log,
    events,
    urls,
    walletAddresses: payments.walletAddresses,
    incomingPayments: payments.incomingPayments,
    unknownPayments: payments.unknownPayments,
    operatorPayments: payments.operatorPayments,
    access: access.operator,
    rates: payments.rates,
    exchangeAccounts: payments.exchangeAccounts,
    peers: payments.peers.operator,
    certificate,
    backups,
    backupFolder,
    restores,
    nodeKeys: remoteWallets.keys,
    activityCheck: new ActivityCheck(database),
    configuration,
    desktop,
    about: {
      version,
      host: config.host,
      publicUrl: urls.origin,
      reachableByOthers: config.publicUrl !== undefined && !isLoopback(new URL(config.publicUrl).hostname),
      development: config.development,
    },
  });

  await payments.peers.directory.reload();
  await payments.rates.load();
  await payments.worker.start();
  openings.add(() => payments.worker.stop());
  const checkout = assembleCheckout({ database, clock, log, urls, secrets, payments });
  checkout.worker.start();
  openings.add(() => checkout.worker.stop());
  openings.add(
    await listenPublicly({ listen, log, urls, config, payments, checkout, access, database, clock, certificate }).catch(explain(listen)),
  );
  const running = config.console && (await operator.startConsole({ ...config.console, rendererDir, dataFolder: config.dataDir }));
  if (running) {
    // Asked for any free port, it has one now.
    configuration.console = new URL(running.url).host;
    openings.add(() => running.close());
  }

  let closing: Promise<void> | undefined;
  log.info({ publicUrl: urls.origin, version }, 'the node is ready');
  return {
    publicUrl: urls.origin,
    consoleUrl: running?.url,
    operator,
    events,
    wake: () => {
      payments.worker.wake();
      checkout.worker.wake();
    },
    failed: failed.promise,
    restart: restart.promise.then(() => ({ ...config, listen, ...(running && { console: listenOf(running.url) }) })),
    close: () => {
      closing ??= openings.close().then(() => log.info('the node has stopped'));
      return closing;
    },
  };
}

/** What the operator may read of what the node was told. */
const shownConfiguration = (
  config: Config,
  listen: Listen,
  protection: SecretsProtection | undefined,
): OperatorContext['configuration'] => ({
  publicUrlGiven: config.publicUrl !== undefined,
  listen: addressOf(listen),
  console: config.console ? addressOf(config.console) : null,
  tokenLifetime: config.tokenLifetime,
  logLevel: config.logLevel,
  trustedProxies: [...config.trustedProxies],
  dataFolder: config.dataDir,
  keysEncrypted: protection !== undefined,
});

/** Where a listener with this address listens. */
function listenOf(url: string): Listen {
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) };
}

const addressOf = ({ host, port }: Listen): string => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** The journal in the log, for whoever looks for what went wrong. What happened carries no secret; see NewEvent. */
const logEvents =
  (log: Logger): EventListener =>
  (batch) => {
    for (const { type, subject, position, body } of batch) log.debug({ position: position.toString(), subject, ...body }, type);
  };

/** Where this computer itself reaches a listener; one on every address is reached by the loopback one. */
function originOf({ host, port }: Listen, scheme: 'http' | 'https'): string {
  if (host === '0.0.0.0' || host === '::') return `${scheme}://127.0.0.1:${port}`;
  return `${scheme}://${addressOf({ host, port })}`;
}

/** Settles which port is listened on before anything is built, because ids are rendered with it. */
async function choosePort({ host, port }: Listen): Promise<Listen> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen(port, host, resolve);
    });
    const address = probe.address();
    if (address === null || typeof address === 'string') throw new Error('a TCP listener without a port');
    return { host, port: address.port };
  } catch (error) {
    throw listenError(error, { host, port });
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}

const explain =
  (listen: Listen) =>
  (error: unknown): never => {
    throw listenError(error, listen);
  };

function listenError(error: unknown, { host, port }: Listen): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE')
    return new ReportedError(
      `Port ${port} on ${host} is taken by another program. Stop that one, or choose another with --listen HOST:PORT.`,
    );
  if (code === 'EACCES')
    return new ReportedError(`This user may not listen on port ${port}. Choose one above 1023 with --listen HOST:PORT.`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new ReportedError(`${host} is not an address of this computer. Choose one with --listen HOST:PORT.`);
  return error;
}
