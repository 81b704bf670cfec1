import { closeSync, fsyncSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { syncFolder } from '../../disk/durable-names.ts';
import { connect } from '../connection.ts';
import { migrate } from '../migrate.ts';
import { type Copied, type CopyProgress, copyRows } from './copy-rows.ts';
import { NOT_MOVED, type RowSource } from './plain-rows.ts';
import { SqliteRows, shapesIn } from './sqlite-rows.ts';

interface Filling {
  /** The folder of the migrations for SQLite. */
  migrations: string;
  /** The rows, which have the newest schema. */
  source: RowSource;
  tell: (progress: CopyProgress) => void;
}

/**
 * Makes a database file with all rows of the books, and waits until the disk has it.
 * @param file its path. None is there yet.
 * @throws Error when what is in the file is something else than the source has.
 */
export async function fillFile(file: string, filling: Filling): Promise<Copied> {
  const connection = connect(file);
  let copied: Copied;
  try {
    copied = await fill(connection, filling);
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

/**
 * Makes a database with all rows of the books in memory. The caller closes it.
 * @throws Error when what is in it is something else than the source has.
 */
export async function fillMemory(filling: Filling): Promise<Sqlite.Database> {
  const connection = connect(':memory:');
  try {
    await fill(connection, filling);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

async function fill(connection: Sqlite.Database, { migrations, source, tell }: Filling): Promise<Copied> {
  migrate(connection, migrations);
  // Nobody uses the database before it is whole.
  connection.pragma('synchronous = OFF');
  connection.pragma('foreign_keys = OFF');
  const copied = await copyRows(source, new SqliteRows(connection), shapesIn(connection, NOT_MOVED), tell);
  if ((connection.pragma('foreign_key_check') as unknown[]).length > 0) throw new Error('the books have broken references');
  return copied;
}
