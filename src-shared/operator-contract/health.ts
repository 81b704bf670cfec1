import { eventIterator } from '@orpc/contract';
import { DISK_KINDS, REMOVED_KINDS } from '../disk-kinds.ts';
import { LINE_LEVELS } from '../log-levels.ts';
import { managers, readers } from '../people/roles.ts';
import { z } from '../zod.ts';
import { does, reads } from './operation.ts';
import { ReachStep } from './reachability.ts';

export const LogLevel = z.enum(LINE_LEVELS);
export type LogLevel = z.infer<typeof LogLevel>;

export const LogLine = z.object({
  /** It counts from the start of the node. */
  number: z.number().int(),
  at: z.date(),
  level: LogLevel,
  message: z.string(),
  /** The other facts of the line, as JSON; an empty text when there are none. */
  facts: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

/** What takes how much room, and what goes by itself. Sizes are in bytes. */
/** A file with details of payments that were made in one month. */
const ArchiveFile = z.object({
  file: z.string(),
  month: z.string(),
  rows: z.number().int(),
  bytes: z.number().int(),
  /** Whether the file is as it was written; null when it was not read. */
  state: z.enum(['whole', 'missing', 'damaged']).nullable(),
});

export const DiskAnswer = z.object({
  /** The time of the measurement. */
  at: z.date(),
  /** The database file and its log. */
  total: z.number().int(),
  /** Space inside the file that later rows will use. */
  free: z.number().int(),
  /** What is left on the disk; null where the node cannot know it, as on the server of a shared database. */
  room: z.number().int().nullable(),
  /** The bytes by which the database has grown a day in the last 30 days; null as long as no earlier day is known. */
  perDay: z.number().int().nullable(),
  /** Whether the file becomes smaller when rows go. */
  shrinks: z.boolean(),
  kinds: z.array(z.object({ kind: z.enum(DISK_KINDS), bytes: z.number().int() })),
  /** What the node removes, and how many days after its end. */
  removed: z.array(z.object({ kind: z.enum(REMOVED_KINDS), days: z.number() })),
  /**
   * The node removes nothing before `until`, because its clock has jumped ahead from `before`; null while it trusts the
   * clock.
   */
  held: z.object({ before: z.date(), until: z.date() }).nullable(),
});
export type DiskAnswer = z.infer<typeof DiskAnswer>;

/** A process of the node that lives. */
const Replica = z.object({
  name: z.string(),
  version: z.string(),
  /** The name of its computer. */
  host: z.string(),
  since: z.date(),
  /** Whether it answers this call. */
  own: z.boolean(),
  /** Whether it is about to end. */
  leaving: z.boolean(),
  /** The milliseconds by which the clock of the database server is ahead of its own; null before it knows. */
  clockMs: z.number().nullable(),
  /** How many write transactions it has had a second lately; null before it knows. */
  turns: z.number().nullable(),
  /** Whether its settings that must be the same everywhere are those of the replica that answers. */
  alike: z.boolean(),
});

const ReplicasAnswer = z.object({
  at: z.date(),
  /** Which database server it is, such as `PostgreSQL 16.4`. */
  engine: z.string(),
  /** The host, the port and the name of the database. */
  database: z.string(),
  /** The last time that the server copied a part of its log away; null where it never did, as far as it tells. */
  archivedAt: z.date().nullable(),
  /** The last time that an operator exported the books; null when nobody did. */
  exportedAt: z.date().nullable(),
  replicas: z.array(Replica),
});
export type ReplicasAnswer = z.infer<typeof ReplicasAnswer>;

export const health = {
  /**
   * Checks step by step whether the world can reach the node. It sends each step when it begins and when it has ended.
   */
  reach: reads(managers, 'Checks step by step whether the world can reach the node, as server-sent events.')
    .route({ method: 'GET', path: '/health/reachability' })
    .output(eventIterator(ReachStep)),
  /** The files of the archive, the oldest first. With `check` each is read and compared with what the books say. */
  archive: reads(readers, 'The files of the archive; with `check`, whether each is as it was written.')
    .route({ method: 'GET', path: '/health/archive' })
    .input(z.object({ check: z.boolean().default(false) }))
    .output(z.object({ files: z.array(ArchiveFile) })),
  /** The processes that run this node over a shared database; null when the books are in the data folder. */
  replicas: reads(readers, 'The processes that run this node over a shared database.')
    .route({ method: 'GET', path: '/health/replicas' })
    .output(z.object({ shared: ReplicasAnswer.nullable() })),
  /** What takes how much room on the disk, and what goes when. It was measured in the last ten minutes. */
  disk: reads(readers, 'What takes how much room on the disk, and what goes when.')
    .route({ method: 'GET', path: '/health/disk' })
    .output(DiskAnswer),
  /** The last log lines since the node started, newest first. */
  log: reads(managers, 'The last log lines since the node started, newest first.')
    .route({ method: 'GET', path: '/health/log' })
    .input(
      z.object({
        /** The least severe level to return. */
        level: LogLevel.default('trace'),
        text: z.string().max(200).optional(),
        limit: z.number().int().min(1).max(500).default(200),
      }),
    )
    .output(z.object({ lines: z.array(LogLine), kept: z.number().int(), most: z.number().int() })),
  /**
   * What a helper needs to know about the node, without names, amounts, addresses and secrets. Only the caller gets it:
   * the node sends it nowhere.
   */
  supportBundle: does(
    managers,
    'exports',
    'support.bundled',
    'What a helper needs to know about the node, without names, amounts, addresses and secrets. The node sends it nowhere.',
  )
    .route({ method: 'POST', path: '/health/support-bundle' })
    .output(z.object({ name: z.string(), text: z.string() })),
};
