import { type Clock, systemClock } from '../platform/clock.ts';
import type { Core } from '../platform/core.ts';
import { openDataFolder } from '../platform/data-folder/data-folder.ts';
import type { Database } from '../platform/database/database.ts';
import { openFilesLimit } from '../platform/open-files.ts';
import { openPublicUrls } from '../platform/public-address/origins.ts';
import type { PublicUrls } from '../platform/public-address/public-urls.ts';
import { TlsCertificate } from '../platform/public-address/tls-certificate.ts';
import { DatabaseClock } from '../platform/replicas/database-clock.ts';
import { openOwnBooks } from './books/open-own-books.ts';
import { openSharedBooks } from './books/open-shared-books.ts';
import { adoptOwnClients } from './books/own-clients.ts';
import { choosePort, originOf } from './listening.ts';
import type { Starting } from './starting.ts';

/**
 * Opens the data folder and the books, which are in that folder or in a shared database. It also determines the node's
 * URLs.
 */
export async function openNode(starting: Starting) {
  const { config, log, openings } = starting;
  const failed = Promise.withResolvers<Error>();
  const restart = Promise.withResolvers<void>();
  const lock = openDataFolder(config.dataDir);
  openings.add(() => lock.release());
  const told = { failed: failed.resolve, restart: restart.resolve };
  const { books, door, urls, clock } =
    config.database === undefined ? await openOwn(starting, told) : await openShared(starting, config.database, told);
  const core: Core = { database: books.database, clock, log, urls };
  return { ...books, ...door, core, openFiles: openFilesLimit(), failed: failed.promise, restart: restart.promise };
}

export type OpenedNode = Awaited<ReturnType<typeof openNode>>;

interface Told {
  failed: (reason: Error) => void;
  restart: () => void;
}

async function openOwn(starting: Starting, told: Told) {
  const clock = systemClock;
  const books = await openOwnBooks(starting, { ...told, clock });
  const door = await chooseDoor(starting);
  return { books, door, clock, urls: await continueUnder(door.origin, books.database, clock) };
}

/** The URLs are among what only one replica may do at a time, so that the port is chosen before. */
async function openShared(starting: Starting, address: NonNullable<Starting['config']['database']>, told: Told) {
  const clock = new DatabaseClock(systemClock);
  const door = await chooseDoor(starting);
  const urls = Promise.withResolvers<PublicUrls>();
  const begin = async (database: Database) => urls.resolve(await continueUnder(door.origin, database, clock));
  const books = await openSharedBooks(starting, address, { ...told, clock, origin: door.origin, begin });
  return { books, door, clock, urls: await urls.promise };
}

/** Chooses where the node listens, and so by which URL it is known. */
async function chooseDoor({ config, openings }: Starting) {
  const { listen, port } = await choosePort(config.listen);
  openings.add(() => port.release());
  const certificate = config.tls && new TlsCertificate(config.tls);
  openings.add(() => certificate?.close());
  return { listen, port, certificate, origin: config.publicUrl ?? originOf(listen, certificate ? 'https' : 'http') };
}

async function continueUnder(origin: string, database: Database, clock: Clock): Promise<PublicUrls> {
  const urls = await openPublicUrls(database, origin, clock.now());
  await adoptOwnClients(database, urls);
  return urls;
}
