import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { movingWords } from '../../../src-shared/words/terminal/moving.ts';
import { z } from '../../../src-shared/zod.ts';
import { ReportedError } from '../errors.ts';
import { DATABASE_FILE, writePrivateFile } from './data-folder.ts';

/** Says that the books of this folder are in a database now. From its writing on, they do not count any more. */
export const MOVED_FILE = 'moved.json';
/** Says that books come into this folder. It is there until the last of them is. */
const ARRIVING_FILE = 'move-begun';

const Moved = z.object({
  /** Names the move, in the folder and in the database. */
  id: z.string(),
  /** The host, the port and the name of the database. */
  to: z.string(),
  /** The time of the move, in milliseconds since the Unix epoch. */
  at: z.int(),
});
type Moved = z.infer<typeof Moved>;

const Arriving = z.object({ id: z.string() });

export function markMoved(dataFolder: string, moved: Moved): void {
  writePrivateFile(join(dataFolder, MOVED_FILE), `${JSON.stringify(moved)}\n`);
}

/** The place to which the books of a folder went. It is undefined when they are there. */
export const movedFrom = (dataFolder: string): Moved | undefined => read(join(dataFolder, MOVED_FILE), Moved);

export function markArriving(dataFolder: string, id: string): void {
  writePrivateFile(join(dataFolder, ARRIVING_FILE), `${JSON.stringify({ id })}\n`);
}

/** The id of a move into this folder that has not ended. */
export const arrivingIn = (dataFolder: string): string | undefined => read(join(dataFolder, ARRIVING_FILE), Arriving)?.id;

export function markArrived(dataFolder: string): void {
  rmSync(join(dataFolder, ARRIVING_FILE), { force: true });
}

/**
 * Checks that the books of this folder are the ones that count.
 * @throws ReportedError when they were moved away, or have not arrived yet.
 */
export function refuseMovedFolder(dataFolder: string): void {
  const moved = movedFrom(dataFolder);
  if (moved !== undefined) throw new ReportedError(movingWords.folderMoved({ folder: dataFolder, to: moved.to }));
  if (!existsSync(join(dataFolder, ARRIVING_FILE))) return;
  // The database is the last part that is put in its place.
  if (!existsSync(join(dataFolder, DATABASE_FILE))) throw new ReportedError(movingWords.folderUnfinished({ folder: dataFolder }));
  markArrived(dataFolder);
}

/** @throws Error when the file is there and cannot be read: nobody may take that for its absence. */
function read<T>(path: string, schema: z.ZodType<T>): T | undefined {
  return existsSync(path) ? schema.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}
