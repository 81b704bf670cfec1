import { type DrizzleSnapshotJSON, generateDrizzleJson, generateMigration } from 'drizzle-kit/api';

// drizzle-kit describes its snapshots with types of a version of zod that the project does not have. These are the
// parts of them that the scripts and tests of the project read.

export interface SnapshotColumn {
  name: string;
  type: string;
  notNull: boolean;
  primaryKey: boolean;
  default?: unknown;
}

interface TableParts {
  name: string;
  columns: Record<string, SnapshotColumn>;
  checkConstraints: Record<string, { name: string; value: string }>;
  compositePrimaryKeys: Record<string, { columns: string[] }>;
  foreignKeys: Record<string, { columnsFrom: string[]; tableTo: string; columnsTo: string[] }>;
  uniqueConstraints: Record<string, { name: string }>;
}

/** The tables of PostgreSQL at one moment. */
export interface Snapshot {
  id: string;
  tables: Record<
    string,
    TableParts & {
      indexes: Record<
        string,
        { name: string; isUnique: boolean; where?: string; columns: { expression: string; isExpression: boolean }[] }
      >;
    }
  >;
}

/** The tables of SQLite at one moment. */
export interface SqliteSnapshot {
  tables: Record<string, TableParts & { indexes: Record<string, { name: string; isUnique: boolean; where?: string; columns: string[] }> }>;
}

/** @param previous the id of the snapshot that this one follows */
export const snapshotOf = (tables: Record<string, unknown>, previous: string): Snapshot =>
  generateDrizzleJson(tables, previous) as Snapshot;

/** A database without tables. */
export const nothing = generateDrizzleJson({}) as Snapshot;

/** The statements that lead from one snapshot to another. */
export const migrationBetween = (before: Snapshot, after: Snapshot): Promise<string[]> =>
  generateMigration(before as DrizzleSnapshotJSON, after as DrizzleSnapshotJSON);
