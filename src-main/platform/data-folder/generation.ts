import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Core } from '../core.ts';
import type { Database, Tx } from '../database/database.ts';
import { writePrivateFile } from './data-folder.ts';
import { nodeState } from './tables.ts';

/** The file in the data folder that holds the generation outside the database. */
export const GENERATION_FILE = 'generation';

type NodeState = typeof nodeState.$inferSelect;

export async function readNodeState(database: Database): Promise<NodeState | undefined> {
  const [row] = await database.read.select().from(nodeState);
  return row;
}

interface Parts extends Pick<Core, 'database'> {
  dataFolder: string;
}

/**
 * Notices a database that was put back from a copy. The generation is a number that goes up. It goes up in the database
 * first and in the file after that, so the file is ahead only when the database is an older one. A copy of a whole data
 * folder, with its file, cannot be told from the original.
 */
export class Generation {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Tells whether the database is older than the folder's file says, or has come from another folder. */
  async isCopy(): Promise<boolean> {
    const state = await readNodeState(this.#parts.database);
    if (state === undefined) return false;
    const seen = this.#seen();
    return seen === undefined || state.generation < seen;
  }

  /** @returns the next generation. */
  async next(): Promise<number> {
    const state = await readNodeState(this.#parts.database);
    return Math.max(state?.generation ?? 0, this.#seen() ?? 0) + 1;
  }

  /**
   * Stores the next generation in both places. It is called at every start after {@link isCopy}, and from time to time.
   */
  async advance(): Promise<void> {
    const generation = await this.next();
    // Books that count, and have no file beside them, are taken for a copy. A power cut must not leave such.
    if (this.#seen() === undefined) this.remember(0);
    await this.#parts.database.write(async (tx) => {
      const [state] = await tx.select().from(nodeState);
      await storeNodeState(tx, changedState(state, { generation }));
    });
    this.remember(generation);
  }

  /** Writes the file. It is called after the database has stored this generation. */
  remember(generation: number): void {
    writePrivateFile(this.#file(), `${generation}\n`);
  }

  #file(): string {
    return join(this.#parts.dataFolder, GENERATION_FILE);
  }

  #seen(): number | undefined {
    if (!existsSync(this.#file())) return undefined;
    const count = Number(readFileSync(this.#file(), 'utf8').trim());
    return Number.isSafeInteger(count) && count >= 0 ? count : undefined;
  }
}

/** @returns the state of the node with `changes`. A node without a state gets its first one. */
export const changedState = (state: NodeState | undefined, changes: Partial<NodeState>): NodeState => ({
  id: 'node',
  generation: 0,
  keyId: null,
  restoredAt: null,
  isQuiet: false,
  ...state,
  ...changes,
});

/** Stores the state of the node within the caller's write job. */
export async function storeNodeState(tx: Tx, state: NodeState): Promise<void> {
  await tx.insert(nodeState).values(state).onConflictDoUpdate({ target: nodeState.id, set: state });
}

/** How often a running node stores the next generation. */
const COUNT_MS = 10 * 60_000;

/** Stores the next generation every ten minutes. @returns a function that stops this. */
export function keepCounting(generation: Generation, onError: (error: unknown) => void): () => void {
  const counting = setInterval(() => void generation.advance().catch(onError), COUNT_MS);
  return () => clearInterval(counting);
}
