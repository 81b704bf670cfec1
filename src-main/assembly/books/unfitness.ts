import { BooksWentBack, type Database } from '../../platform/database/database.ts';
import type { Replicas, Unfit } from '../../platform/replicas/replicas.ts';

/** A replica that gets no turn to write for this long should get no requests. In milliseconds. */
const TURNLESS_MS = 5_000;

/** The reasons that programs read, in English. */
const WORDS: Record<Unfit, string> = {
  leaving: 'This replica is about to end.',
  unheard: 'This replica does not hear the database server.',
  wrong_clock: 'The clock of this replica differs from that of the database server.',
  schema_too_new: 'A newer version has changed the tables in a way that this replica does not know.',
};

interface Shared {
  database: Pick<Database, 'stopped'> & { readonly turnless: number };
  replicas: Pick<Replicas, 'unfit'>;
}

/** @returns what says why this replica should get no requests now. */
export const unfitness =
  ({ database, replicas }: Shared): (() => string | undefined) =>
  () => {
    if (database.stopped instanceof BooksWentBack) return 'The database server has lost changes that it had stored.';
    if (database.turnless > TURNLESS_MS) return 'This replica gets no turn to write.';
    return replicas.unfit === undefined ? undefined : WORDS[replicas.unfit];
  };
