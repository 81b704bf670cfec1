import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database, Tx } from '../database/database.ts';
import { writePrivateFile } from './data-folder.ts';
import { nodeState } from './tables.ts';

/** The file in the data folder that holds the count outside the database. */
export const GENERATION_FILE = 'generation';

export type NodeState = typeof nodeState.$inferSelect;

export async function readNodeState(database: Database): Promise<NodeState | undefined> {
  const [row] = await database.read.select().from(nodeState);
  return row;
}

/**
 * Notices a database that was put back from a copy. The database counts first and the file after it, so that the file is never
 * ahead unless the database is an older one. A data folder copied whole, with its file, cannot be told from its original.
 */
export class Generation {
  readonly #database: Database;
  readonly #path: string;

  constructor({ database, dataFolder }: { database: Database; dataFolder: string }) {
    this.#database = database;
    this.#path = join(dataFolder, GENERATION_FILE);
  }

  /** Whether the database is older than this folder has seen it, or has come from another one. */
  async isCopy(): Promise<boolean> {
    const state = await readNodeState(this.#database);
    if (state === undefined) return false;
    const seen = this.#seen();
    return seen === undefined || state.generation < seen;
  }

  /** The count after this one. */
  async next(): Promise<number> {
    const state = await readNodeState(this.#database);
    return Math.max(state?.generation ?? 0, this.#seen() ?? 0) + 1;
  }

  /** Counts on in both places. Call it at every start, once {@link isCopy} is answered, and now and then. */
  async advance(): Promise<void> {
    const generation = await this.next();
    await this.#database.write(async (tx) => {
      const [state] = await tx.select().from(nodeState);
      await storeNodeState(tx, changedState(state, { generation }));
    });
    this.remember(generation);
  }

  /** Writes the file, after the database has this count for good. */
  remember(generation: number): void {
    writePrivateFile(this.#path, `${generation}\n`);
  }

  #seen(): number | undefined {
    if (!existsSync(this.#path)) return undefined;
    const count = Number(readFileSync(this.#path, 'utf8').trim());
    return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  }
}

/** The state a node has, or its first one, with `changes`. */
export const changedState = (state: NodeState | undefined, changes: Partial<NodeState>): NodeState => ({
  id: 'node',
  generation: 0,
  keyId: null,
  restoredAt: null,
  ...state,
  ...changes,
});

/** Stores the state of the node, in a write of the caller's. */
export async function storeNodeState(tx: Tx, state: NodeState): Promise<void> {
  await tx.insert(nodeState).values(state).onConflictDoUpdate({ target: nodeState.id, set: state });
}

/** How often a running node counts on. */
const COUNT_MS = 10 * 60_000;

/** Counts on every ten minutes. @returns the way to stop. */
export function keepCounting(generation: Generation, onError: (error: unknown) => void): () => void {
  const counting = setInterval(() => void generation.advance().catch(onError), COUNT_MS);
  return () => clearInterval(counting);
}
