import { bool, index, int53, primaryKey, table, text } from '../database/schema.ts';

/**
 * The files of the archive; see archive-file.ts. A row says how much of its file belongs to the books: what stands
 * behind that was written by a batch that was not recorded, or by books that were replaced. What a node with a shared
 * database archives stands in {@link archiveFrames}.
 */
export const archiveFiles = table(
  'archive_files',
  {
    /** The name of the file, without its ending. */
    id: text('id').primaryKey(),
    /** The month in which what it holds was made, such as `2026-11`, in UTC. */
    month: text('month').notNull(),
    /** Base64url of the 32 bytes with which the file is encrypted. */
    key: text('key').notNull(),
    bytes: int53('bytes').notNull(),
    /** The hash of those bytes, in hexadecimal; see archive-file.ts. */
    hash: text('hash').notNull(),
    /** How many rows it holds. */
    rows: int53('rows').notNull(),
    /** Nothing is added any more, because the books were put back from a copy since. */
    closed: bool('closed').notNull(),
  },
  (t) => [index('archive_files_month').on(t.month, t.id)],
);

export type ArchiveFile = typeof archiveFiles.$inferSelect;

/** What stands in the files of replicas: they share no folder (decisions.md#D-137). */
export const archiveFrames = table(
  'archive_frames',
  {
    file: text('file')
      .notNull()
      .references(() => archiveFiles.id),
    /** How many bytes of the file lie before the frame. */
    at: int53('at').notNull(),
    /** Base64url of the frame. */
    frame: text('frame').notNull(),
  },
  (t) => [primaryKey({ columns: [t.file, t.at] })],
);
