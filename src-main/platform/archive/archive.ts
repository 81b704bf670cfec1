import { and, asc, between, eq, notExists } from 'drizzle-orm';
import type { Core } from '../core.ts';
import type { Reader, Tx } from '../database/database.ts';
import { exactSum } from '../database/exact-sum.ts';
import { failPoint } from '../fail-points.ts';
import { newId, newSecret } from '../ids.ts';
import { append, isThere, NO_HASH, nextFrame } from './archive-file.ts';
import { standsInDatabase, storeFrame } from './archive-frames.ts';
import { type ArchiveFile, archiveFiles, archiveFrames } from './tables.ts';

interface Parts extends Pick<Core, 'database'> {
  /** The folder of its files. Without one they stand in the database. */
  folder?: string | undefined;
}

/** What is in a file and not yet in the books. */
export interface Written {
  /**
   * Notes it in the books. Part of the write that removes the rows there.
   * @returns false when somebody else was faster.
   */
  note(tx: Tx): Promise<boolean>;
}

/**
 * What the node keeps outside the books because nothing needs it any more but a curious person: lines of JSON in files,
 * one for each month (decisions.md#D-80). The files of replicas stand in their database (decisions.md#D-137).
 */
export class Archive {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Writes lines into the file of a month. A crash before they are noted leaves nothing of them.
   * @param month such as `2026-11`.
   * @throws Error when the file cannot be written.
   */
  async write(month: string, lines: readonly string[]): Promise<Written> {
    const file = await this.#openFile(month);
    const { frame, end } = await this.#append(file, lines);
    return {
      note: async (tx) => {
        failPoint('archive-step');
        const noted = await tx
          .update(archiveFiles)
          .set(end)
          .where(and(eq(archiveFiles.id, file.id), eq(archiveFiles.bytes, file.bytes), eq(archiveFiles.closed, false)))
          .returning({ id: archiveFiles.id });
        if (noted.length > 0 && frame !== undefined) await storeFrame(tx, file, frame);
        return noted.length > 0;
      },
    };
  }

  /** @returns the frame if it is to be stored in the database. */
  async #append(file: ArchiveFile, lines: readonly string[]) {
    const { folder } = this.#parts;
    if (folder === undefined) return await nextFrame(file, lines);
    return { frame: undefined, end: await append(folder, file, lines) };
  }

  async #isThere(file: ArchiveFile): Promise<boolean> {
    const { folder, database } = this.#parts;
    return await (folder === undefined ? standsInDatabase(database.read, file) : isThere(folder, file));
  }

  /** The file to which the month's lines are added. The books know it before it is made, so that none is forgotten. */
  async #openFile(month: string): Promise<ArchiveFile> {
    const isOpen = and(eq(archiveFiles.month, month), eq(archiveFiles.closed, false));
    const [open] = await this.#parts.database.read.select().from(archiveFiles).where(isOpen).limit(1);
    if (open !== undefined && (await this.#isThere(open))) return open;
    const file = { id: `${month}-${newId().slice(-12)}`, month, key: newSecret(), bytes: 0, hash: NO_HASH, rows: 0, closed: false };
    await this.#parts.database.write(async (tx) => {
      // A file that somebody took away or cut is left as it is.
      await tx.update(archiveFiles).set({ closed: true }).where(isOpen);
      await tx.insert(archiveFiles).values(file);
    });
    failPoint('archive-step');
    return file;
  }
}

/** The files of the archive, the oldest month first; those between two months, or all. */
export const filesOf = (reader: Reader, first?: string, last = first): Promise<ArchiveFile[]> =>
  reader
    .select()
    .from(archiveFiles)
    .where(first === undefined || last === undefined ? undefined : between(archiveFiles.month, first, last))
    .orderBy(asc(archiveFiles.month), asc(archiveFiles.id));

/** What the files take that do not stand in the database, in bytes. */
export async function archivedBytes(reader: Reader): Promise<number> {
  const { file, at } = archiveFrames;
  const isOutside = notExists(
    reader
      .select({ file })
      .from(archiveFrames)
      .where(and(eq(file, archiveFiles.id), eq(at, 0))),
  );
  const [sum] = await reader
    .select({ bytes: exactSum(archiveFiles.bytes) })
    .from(archiveFiles)
    .where(isOutside);
  return Number(sum?.bytes ?? 0);
}

/**
 * Adds nothing to these files any more. Called when the books were put back from a copy: the files may hold more than
 * the copy knows, and the books that were replaced still need that. Part of a write.
 */
export async function closeArchiveFiles(tx: Tx): Promise<void> {
  await tx.update(archiveFiles).set({ closed: true }).where(eq(archiveFiles.closed, false));
}

/** The month of a moment, in UTC, such as `2026-11`. @param at milliseconds since the Unix epoch. */
export const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);
