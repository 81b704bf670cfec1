import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder } from '../../disk/durable-names.ts';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { type Copied, type CopyProgress, copyRows } from './copy-rows.ts';
import { NOT_MOVED, type RowSource } from './plain-rows.ts';
import { SqliteRows, shapesIn } from './sqlite-rows.ts';

interface Filling {
  /** The path of the database file. None is there yet. */
  file: string;
  /** The folder of the migrations for SQLite. */
  migrations: string;
  /** Has the newest schema. */
  source: RowSource;
  tell: (progress: CopyProgress) => void;
}

/**
 * Makes a database file with all rows of the books, and waits until the disk has it.
 * @throws Error when what is in the file is something else than the source has.
 */
export async function fillFile({ file, migrations, source, tell }: Filling): Promise<Copied> {
  const connection = connect(file);
  let copied: Copied;
  try {
    migrate(connection, migrations);
    // Nobody uses the file before it is whole.
    connection.pragma('synchronous = OFF');
    connection.pragma('foreign_keys = OFF');
    copied = await copyRows(source, new SqliteRows(connection), shapesIn(connection, NOT_MOVED), tell);
    if ((connection.pragma('foreign_key_check') as unknown[]).length > 0) throw new Error('the books have broken references');
    connection.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    connection.close();
  }
  const descriptor = openSync(file, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dirname(file));
  return copied;
}
