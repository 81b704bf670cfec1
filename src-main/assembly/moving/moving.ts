import { movingWords as words } from '../../../src-shared/words/terminal/moving.ts';
import { ActivityCheck } from '../../journal/activity-log.ts';
import type { Core } from '../../platform/core.ts';
import type { Database } from '../../platform/database/database.ts';
import type { CopyProgress } from '../../platform/database/moving/copy-rows.ts';
import type { SecretsProtection } from '../../platform/secrets/secrets-protection.ts';

/** What a move needs, in either direction. */
export interface Moving extends Pick<Core, 'clock'> {
  /** The data folder from which or into which the books go. */
  dataFolder: string;
  /** The shared database on the other side. */
  address: { readonly url: string; readonly shown: string };
  /** Seals the node's keys there: 32 bytes. */
  sealKey: Buffer;
  /** Encrypts the node's keys in the folder. */
  protection: SecretsProtection | undefined;
  /** The folder `drizzle`, with the migrations of both engines. */
  migrations: string;
  /** Is told what happens, for the person who waits. */
  tell: (line: string) => void;
}

/** The pause between two lines about how far a move is, in milliseconds. */
const TELL_MS = 2_000;

/** @returns what tells how far a copy is, and not too often. */
export function tellingProgress({ clock, tell }: Pick<Moving, 'clock' | 'tell'>): (progress: CopyProgress) => void {
  let toldAt = Number.NEGATIVE_INFINITY;
  return ({ doing, table, done, of }) => {
    if (clock.monotonic() - toldAt < TELL_MS && done < of) return;
    toldAt = clock.monotonic();
    tell(words[doing]({ table, done, of }));
  };
}

/** @returns a line about the activity log. It moves as it is, also when somebody had changed it before. */
export async function tellOfLog(database: Database): Promise<string> {
  const log = await new ActivityCheck(database).lookAtAll();
  return log.whole ? words.logWhole({ entries: log.entries }) : words.logBroken({ at: log.brokenAt });
}
