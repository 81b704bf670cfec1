import type { Database } from '../database.ts';
import type { Execute } from '../query-builder/builder.ts';

/** A row as the database holds it, by the names of its columns. */
export type StoredRow = Record<string, bigint | string | null>;

export interface TestDatabase {
  database: Database & { readonly stats: { readonly commits: number; readonly jobs: number } };
  /** The file of SQLite. With PostgreSQL nothing is there; the folder is there, and goes with the database. */
  file: string;
  /** Opens the database once more, as another process of the node does. The test closes it. */
  again(): TestDatabase['database'];
  /** Changes the database behind the node's back. Without values there may be several statements. */
  tamper(sql: string, ...values: (bigint | string)[]): Promise<void>;
  /** Reads what is stored, behind the node's back. */
  look(sql: string, ...values: (bigint | string)[]): Promise<StoredRow[]>;
  /** Runs a statement of the query builder behind the node's back. */
  execute: Execute;
  /** The names of the tables that hold rows of the node. */
  tables(): Promise<string[]>;
  /** Everything that is stored, as somebody could read it who has the disk. */
  stored(): Promise<string>;
  /** Calls `listener` with each statement that the query builder sends. @returns a function that ends the calls. */
  hear(listener: (sql: string) => void): () => void;
  /** Lets so many turns of the event loop pass, one after the other, in which nobody waits for the database. */
  idle(turns: number): Promise<void>;
  /** What refers to a row that is not there. */
  brokenReferences(): Promise<unknown[]>;
  /** Lets the disk take nothing that needs room from now on. @returns what gives it room again. */
  breakDisk(): Promise<() => Promise<void>>;
  /** Closes the database and removes it. */
  dispose(): Promise<void>;
}

export interface TestOptions {
  /** Every write job runs once more before its real run, and what it did then is undone. */
  rehearse?: boolean;
}
