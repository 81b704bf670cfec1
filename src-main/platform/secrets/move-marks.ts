import { eq, inArray } from 'drizzle-orm';
import { movingWords } from '../../../src-shared/words/terminal/moving.ts';
import { sealKeyProblems } from '../../../src-shared/words/terminal/shared-database.ts';
import { z } from '../../../src-shared/zod.ts';
import type { Database } from '../database/database.ts';
import { ReportedError } from '../errors.ts';
import { Seal } from './seal.ts';
import { nodeKeys } from './tables.ts';

/**
 * The rows beside the keys that say that these books do not count.
 * - `arriving`: they come from a data folder, which still has the books that count.
 * - `moved`: they went into a data folder.
 */
type MoveState = 'arriving' | 'moved';
const STATES: MoveState[] = ['arriving', 'moved'];

const MoveMark = z.object({
  /** Names the move, in the folder and in the database. */
  id: z.string(),
  /** The computer and the folder. */
  folder: z.string(),
});
export type MoveMark = z.infer<typeof MoveMark>;

const purposeOf = (state: MoveState): string => `book-move-${state}`;

/** @returns the text for the column `sealed` of such a row. */
export const sealedMark = (sealKey: Buffer, state: MoveState, mark: MoveMark): string =>
  new Seal(sealKey).seal(JSON.stringify(mark), purposeOf(state));

/** @returns undefined when the books in the database count, or when it has none. */
export async function moveStateOf({ read }: Pick<Database, 'read'>): Promise<MoveState | undefined> {
  const [row] = await read.select({ id: nodeKeys.id }).from(nodeKeys).where(inArray(nodeKeys.id, STATES));
  return STATES.find((state) => state === row?.id);
}

/** @throws ReportedError when the key does not open it. */
export async function readMark({ read }: Pick<Database, 'read'>, sealKey: Buffer, state: MoveState): Promise<MoveMark | undefined> {
  const [row] = await read.select().from(nodeKeys).where(eq(nodeKeys.id, state));
  if (row === undefined) return undefined;
  const text = new Seal(sealKey).open(row.sealed, purposeOf(state));
  if (text === undefined) throw new ReportedError(sealKeyProblems.doesNotOpen);
  return MoveMark.parse(JSON.parse(text));
}

/**
 * Checks that the books of a shared database are the ones that count.
 * @param where the host, the port and the name of the database.
 * @param sealKey says where they went. Without it nobody reads that.
 * @throws ReportedError when they were moved away, or have not arrived yet.
 */
export async function refuseMovedBooks(database: Pick<Database, 'read'>, where: string, sealKey?: Buffer): Promise<void> {
  const state = await moveStateOf(database);
  if (state === undefined) return;
  if (state === 'arriving') throw new ReportedError(movingWords.databaseUnfinished({ where }));
  const mark = sealKey && (await readMark(database, sealKey, state));
  throw new ReportedError(mark ? movingWords.databaseMoved({ where, to: mark.folder }) : movingWords.databaseMovedAway({ where }));
}
