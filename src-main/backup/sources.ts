import type { BackupPlace } from '../../src-shared/operator-contract/backups.ts';
import type { PostgresDatabase } from '../platform/database/postgres/postgres-database.ts';
import { sizeOfDatabase } from '../platform/database/space.ts';
import type { Source } from './backups.ts';
import type { ExportTask } from './export.ts';
import type { ExportBackup, MakeBackup } from './tasks.ts';

/** Books in a file of this computer. */
export const booksInFile = (databaseFile: string, make: MakeBackup): Source => ({
  bytes: async () => sizeOfDatabase(databaseFile),
  copy: (target) => make({ kind: 'make', databaseFile, ...target }),
  place: null,
});

/**
 * Books in a shared database.
 * @param migrations the folder of the migrations for SQLite.
 * @param place the replica that makes the backups.
 */
export const booksInDatabase = (
  database: Pick<PostgresDatabase, 'usedBytes'>,
  { address, migrations, place }: Pick<ExportTask, 'address' | 'migrations'> & { place: BackupPlace },
  run: ExportBackup,
): Source => ({
  bytes: () => database.usedBytes(),
  // An address keeps its password to itself, so that no copy for another process would have it.
  copy: (target) => run({ kind: 'export', address: { url: address.url, shown: address.shown }, migrations, ...target }),
  place,
});
