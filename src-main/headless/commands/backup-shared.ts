import { mkdirSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { movingWords } from '../../../src-shared/words/terminal/moving.ts';
import { tellingProgress } from '../../assembly/moving/moving.ts';
import { noteBackup } from '../../backup/backup-book.ts';
import { freeName, markOf, removeParts, roomOfBackup } from '../../backup/backups.ts';
import { type ExportProblem, exportBooks, MOST_EXPORTED } from '../../backup/export.ts';
import { clearAtSignals } from '../../backup/unfinished.ts';
import { systemClock } from '../../platform/clock.ts';
import { freeRoom } from '../../platform/disk/room.ts';
import { ReportedError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { refuseMovedBooks } from '../../platform/secrets/move-marks.ts';
import type { StoredSecrets } from '../../platform/secrets/node-secrets.ts';
import { readSealKey } from '../../platform/secrets/seal-key.ts';
import { keysIn, openKeys } from '../../platform/secrets/shared-secrets.ts';
import { version } from '../../platform/version.ts';
import type { Terminal } from '../terminal.ts';
import type { CommandAnswer, TypedCommand } from './command.ts';

/** The shortest passphrase of a backup, in characters, as the operator contract has it. */
const LEAST_CHARACTERS = 12;

/**
 * The command `backup` for books in a shared database: it asks the database and no replica, and replicas go on.
 * @param builtFolder is the folder of the built parts of the main process.
 * @param room tests only: the room on the disk of a folder, in bytes.
 */
export async function backupShared(
  { options, config }: TypedCommand,
  builtFolder: string,
  terminal: Pick<Terminal, 'print'>,
  room: (folder: string) => number = freeRoom,
): Promise<CommandAnswer> {
  const { database: address, backupPassphrase: passphrase, dataDir } = config;
  if (address === undefined) throw new ReportedError(movingWords.fromNeeded);
  if (passphrase === undefined || passphrase.length < LEAST_CHARACTERS) throw new ReportedError(commandWords.backup.passphraseNeeded);
  const sealKey = await readSealKey(config.sealKey);
  const migrations = join(builtFolder, '../../drizzle');
  const { openPostgres } = await import('../../platform/database/postgres/open.ts');
  let secrets: StoredSecrets | undefined;
  const shared = { address, migrations: join(migrations, 'postgres'), log: { info: () => undefined }, options: { listens: false } };
  const database = await openPostgres(shared, async (opened) => {
    await refuseMovedBooks(opened, address.shown, sealKey);
    const keys = await keysIn(opened.read);
    secrets = keys && openKeys(keys, sealKey);
  });
  try {
    if (secrets === undefined) throw new ReportedError(movingWords.noNodeInDatabase({ where: address.shown }));
    const folder = options.folder === undefined ? join(dataDir, 'backups') : resolve(options.folder);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const at = systemClock.now();
    const mark = markOf(secrets);
    await removeParts(folder, mark, at);
    const [needed, free] = [roomOfBackup(await database.usedBytes()), room(folder)];
    if (free < needed) throw new ReportedError(commandWords.backup.noRoom(needed, free));
    const file = await freeName(folder, at, mark);
    const head = { createdAt: new Date(at).toISOString(), version, secrets };
    const tell = tellingProgress({ clock: systemClock, tell: (line) => terminal.print(line) });
    const letGo = clearAtSignals(file);
    const made = await exportBooks({ kind: 'export', address, migrations, file, passphrase, head }, tell).finally(letGo);
    if (!made.ok) throw new ReportedError(reasonOf(made.error, address.shown));
    const { size: bytes } = statSync(file);
    const place = { name: config.replicaName, host: hostname() };
    await database.write((tx) => noteBackup(tx, { id: newId(), file, bytes, scheduled: false, createdAt: at, place }));
    return { lines: [commandWords.backup.made({ file, kilobytes: Math.ceil(bytes / 1024) })], exitCode: 0 };
  } finally {
    await database.close();
  }
}

function reasonOf(problem: ExportProblem, where: string): string {
  switch (problem) {
    case 'books_damaged':
      return movingWords.exportDamaged;
    case 'busy':
      return movingWords.exportBusy;
    case 'too_large':
      return movingWords.tooLarge(MOST_EXPORTED);
    case 'newer_version':
      return movingWords.newerDatabase({ where });
  }
}
