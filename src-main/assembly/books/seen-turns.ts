import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sharedDatabaseProblems as problems } from '../../../src-shared/words/terminal/shared-database.ts';
import { z } from '../../../src-shared/zod.ts';
import type { Core } from '../../platform/core.ts';
import { writePrivateFile } from '../../platform/data-folder/data-folder.ts';
import type { Database } from '../../platform/database/database.ts';
import type { SeenTurns } from '../../platform/database/postgres/turns.ts';
import { ReportedError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/logs/logger.ts';
import { keysIn } from '../../platform/secrets/shared-secrets.ts';

/** The file in the data folder of a replica. */
export const SEEN_TURNS_FILE = 'seen-turns.json';
/** How often the file is written at most, in milliseconds. What was committed since is not known after a restart. */
const EVERY_MS = 1_000;

/** A file that is older says nothing of commits: the database forgets how many a process made a week later. */
const COUNTED_MS = 83 * 24 * 3_600_000;

const Remembered = z.object({
  /** Names the books, because the folder may come to belong to others. */
  books: z.string(),
  term: z.string().regex(/^\d{1,19}$/),
  writer: z.string(),
  commits: z.string().regex(/^\d{1,19}$/),
  /** The time at which this computer wrote it, in milliseconds since the Unix epoch. */
  at: z.int(),
});

interface SharedDatabase extends Pick<Database, 'read' | 'onCommit'> {
  /** What this process knows of the turns. */
  readonly seenTurns: SeenTurns;
  /** Whether the database still has what was seen of it. */
  hasSeen(seen: SeenTurns): Promise<boolean>;
}

interface Parts extends Pick<Core, 'clock'> {
  database: SharedDatabase;
  dataFolder: string;
  /** The host, port and name of the database, for the operator. */
  where: string;
  log: Pick<Logger, 'warn'>;
}

/**
 * Remembers in the data folder of a replica which turns it has seen, so that a restart does not forget that the shared
 * database has lost commits. The database itself cannot tell: whatever it says of the past went back with it.
 */
export class SeenTurnsFile {
  readonly #parts: Parts;
  readonly #path: string;
  #books = '';
  #stored: SeenTurns | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#path = join(parts.dataFolder, SEEN_TURNS_FILE);
  }

  /**
   * Compares the database with what was seen of it. A node calls this before it writes anything.
   * @throws ReportedError when the database has lost what was seen of it.
   */
  async compare(): Promise<void> {
    const keys = await keysIn(this.#parts.database.read);
    if (keys === undefined || !existsSync(this.#path)) return;
    const kept = Remembered.safeParse(JSON.parse(readFileSync(this.#path, 'utf8')));
    if (!kept.success || kept.data.books !== booksOf(keys)) return;
    const { term, writer, commits, at } = kept.data;
    const isOld = this.#parts.clock.now() - at > COUNTED_MS;
    const seen = { term: BigInt(term), writer, commits: isOld ? 0n : BigInt(commits) };
    if (!(await this.#parts.database.hasSeen(seen)))
      throw new ReportedError(problems.wentBack({ where: this.#parts.where, file: this.#path }));
  }

  /** Remembers from now on. @returns a function that ends it. */
  async start(): Promise<() => void> {
    const { database } = this.#parts;
    const keys = await keysIn(database.read);
    if (keys === undefined) throw new Error('a shared database without the keys of its node');
    this.#books = booksOf(keys);
    const stop = database.onCommit(() => {
      this.#timer ??= setTimeout(() => this.remember(), EVERY_MS).unref();
    });
    this.remember();
    return () => {
      stop();
      this.remember();
    };
  }

  /** Remembers what was seen up to now. A node that meets a loss calls it, so that no restart begins without it. */
  remember(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { seenTurns } = this.#parts.database;
    const { term, writer, commits } = seenTurns;
    if (term === this.#stored?.term && commits === this.#stored.commits) return;
    const at = this.#parts.clock.now();
    const kept: z.infer<typeof Remembered> = { books: this.#books, term: String(term), writer, commits: String(commits), at };
    try {
      writePrivateFile(this.#path, `${JSON.stringify(kept)}\n`);
      this.#stored = seenTurns;
    } catch (error) {
      this.#parts.log.warn({ err: error }, 'which turns this replica has seen could not be remembered');
    }
  }
}

/** The sealed keys are made once, with the books, and come back with every copy of them. */
const booksOf = ({ sealed }: { sealed: string }): string => hash('sha256', sealed, 'base64url');
