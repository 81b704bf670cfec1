import { and, asc, desc, eq, gte, inArray } from 'drizzle-orm';
import type { Reader, Tx } from '../database/database.ts';
import { type Found, type ReadFrame, readFrames, type Search } from './archive-file.ts';
import { type ReadArchive, readOneByOne } from './archive-reader.ts';
import { type ArchiveFile, archiveFrames } from './tables.ts';

// Replicas share no folder, so the files of their archive stand in the database, a row for each frame. Books that were
// moved have some files in a folder and others here, on both engines (decisions.md#D-137).

/** How many frames are read at once. */
const AT_ONCE = 20;

/** Stores a frame behind the end of a file. Part of the write that notes the file's new end. */
export async function storeFrame(tx: Tx, { id, bytes }: ArchiveFile, frame: Buffer): Promise<void> {
  await tx.insert(archiveFrames).values({ file: id, at: bytes, frame: frame.toString('base64url') });
}

/** Whether everything that the books know of a file stands in the database. */
export async function standsInDatabase(reader: Reader, { id, bytes }: ArchiveFile): Promise<boolean> {
  if (bytes === 0) return true;
  const rows = reader.select().from(archiveFrames).where(eq(archiveFrames.file, id));
  const [last] = await rows.orderBy(desc(archiveFrames.at)).limit(1);
  return last !== undefined && last.at + bytesOf(last.frame).length === bytes;
}

/** The ids of those files that stand in the database. */
async function inDatabase(reader: Reader, files: readonly ArchiveFile[]): Promise<ReadonlySet<string>> {
  const ids = files.map(({ id }) => id);
  const { file, at } = archiveFrames;
  const rows = await reader
    .select({ file })
    .from(archiveFrames)
    .where(and(inArray(file, ids), eq(at, 0)));
  return new Set(rows.map((row) => row.file));
}

const bytesOf = (frame: string): Buffer => Buffer.from(frame, 'base64url');

/** Reads the frames of a file one after the other, some at once. @throws Error when one is missing. */
function framesOf(reader: Reader, id: string): ReadFrame {
  let ahead: (typeof archiveFrames.$inferSelect)[] = [];
  return async (at) => {
    if (ahead.length === 0) {
      const rows = reader
        .select()
        .from(archiveFrames)
        .where(and(eq(archiveFrames.file, id), gte(archiveFrames.at, at)));
      ahead = await rows.orderBy(asc(archiveFrames.at)).limit(AT_ONCE);
    }
    const row = ahead.shift();
    if (row?.at !== at) throw new Error('a frame of the archive is missing');
    return bytesOf(row.frame);
  };
}

/**
 * Reads files wherever they stand.
 * @param reader reads aside the main thread.
 * @param readFolder reads those that stand in the folder.
 */
export const readEverywhere =
  (reader: Reader, readFolder: ReadArchive): ReadArchive =>
  async (files, search) => {
    const here = await inDatabase(reader, files);
    if (here.size === 0) return await readFolder(files, search);
    const readFile = async (file: ArchiveFile, wanted: Search): Promise<Found> =>
      here.has(file.id) ? await readFrames(file, wanted, framesOf(reader, file.id)) : await alone(file, wanted);
    const alone = async (file: ArchiveFile, { from, most }: Search): Promise<Found> => {
      const {
        files: [found],
        next,
      } = await readFolder([file], search && { ...search, from: { file: file.id, ...from }, most });
      return { state: 'missing', lines: [], ...found, ...(next !== undefined && { next }) };
    };
    return await readOneByOne(files, search, readFile);
  };
