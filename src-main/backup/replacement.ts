import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolderProblems } from '../../src-shared/words/terminal/starting.ts';
import { z } from '../../src-shared/zod.ts';
import { DATABASE_FILE, writePrivateFile } from '../platform/data-folder/data-folder.ts';
import { GENERATION_FILE } from '../platform/data-folder/generation.ts';
import { renameDurably, syncFolder } from '../platform/disk/durable-names.ts';
import { ReportedError } from '../platform/errors.ts';
import { failPoint } from '../platform/fail-points.ts';
import { NEXT_SECRETS_FILE, SECRETS_FILE } from '../platform/secrets/node-secrets.ts';

// A restored node takes the place of the node in a data folder. A crash at any moment leaves one of the two nodes, and
// never a mixture.

/** A record of a replacement, which the console shows to the operator. */
export const Replacement = z.object({
  id: z.string(),
  /** The time of the backup, in the form of ISO 8601. */
  madeAt: z.iso.datetime(),
  /** The time at which the backup was put in place, in milliseconds since the Unix epoch. */
  at: z.number().int(),
  /** The name of the folder, inside the data folder, with the node that was there before. */
  keptAside: z.string(),
  /**
   * The SHA-256 of a secret that works once. With the secret, the browser that has restored the backup signs in again.
   */
  returning: z.object({ secretHash: z.string(), expiresAt: z.number().int() }).optional(),
});
export type Replacement = z.infer<typeof Replacement>;

/**
 * The name of the folder for the restored node. The folder is deleted at each start, so nobody may use the name for
 * another folder.
 */
const PREPARED = 'restore-prepared';
/**
 * The file that records a decided replacement. It is in the data folder from the decision until the whole prepared node
 * is in its place.
 */
const DECIDED = 'restore.json';
const DONE = 'restored.json';

/** The folder in which the database and the secrets of a restored node are prepared. */
export const preparedFolder = (dataFolder: string): string => join(dataFolder, PREPARED);

/**
 * Decides that the prepared node replaces the one in the folder. {@link finishReplacement} does the rest, now or at the
 * next start.
 */
export function decideReplacement(dataFolder: string, replacement: Replacement): void {
  failPoint('restore-step');
  writePrivateFile(join(dataFolder, DECIDED), `${JSON.stringify(replacement)}\n`);
  failPoint('restore-step');
}

/**
 * Finishes a replacement that was decided, however far an earlier attempt has come. It deletes a node that was only
 * prepared. The caller has not yet opened any file of the folder.
 * @throws ReportedError when the file that records the decision cannot be read.
 */
export function finishReplacement(dataFolder: string): void {
  const [prepared, decided] = [preparedFolder(dataFolder), join(dataFolder, DECIDED)];
  const replacement = read(decided);
  if (replacement === 'unreadable') {
    // Without this error the next start would take the prepared node for one that was not decided on, and delete it.
    throw new ReportedError(dataFolderProblems.replacementUnreadable({ folder: dataFolder, file: decided, prepared }));
  }
  if (replacement !== undefined) {
    const aside = join(dataFolder, replacement.keptAside);
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    syncFolder(dataFolder);
    // While the new file is still in the prepared folder, the file in the data folder is the old one.
    if (existsSync(join(prepared, SECRETS_FILE))) {
      move(SECRETS_FILE, dataFolder, aside);
      move(SECRETS_FILE, prepared, dataFolder);
    }
    if (existsSync(join(prepared, DATABASE_FILE))) {
      // The generation file is moved away too. Without it the next start recognises the new database as a copy.
      for (const name of [NEXT_SECRETS_FILE, GENERATION_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, DATABASE_FILE]) {
        move(name, dataFolder, aside);
      }
      move(DATABASE_FILE, prepared, dataFolder);
    }
    renameDurably(decided, join(dataFolder, DONE));
    failPoint('restore-step');
  }
  rmSync(prepared, { recursive: true, force: true });
}

/**
 * The last replacement in this folder. It is undefined when there was none, or when the file that records it cannot be
 * read.
 */
export function lastReplacement(dataFolder: string): Replacement | undefined {
  const last = read(join(dataFolder, DONE));
  return last === 'unreadable' ? undefined : last;
}

/** Removes from the file what signs the browser in again that has restored the node. */
export function forgetReturning(dataFolder: string): void {
  const replacement = lastReplacement(dataFolder);
  if (replacement?.returning === undefined) return;
  const { returning: _, ...rest } = replacement;
  writePrivateFile(join(dataFolder, DONE), `${JSON.stringify(rest)}\n`);
}

/** @returns a name such as `replaced-2026-11-21-193000`. @param at in milliseconds since the Unix epoch */
export function asideName(at: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  return `replaced-${day}-${time.slice(0, 8).replaceAll(':', '')}`;
}

function move(name: string, from: string, to: string): void {
  if (!existsSync(join(from, name))) return;
  renameDurably(join(from, name), join(to, name));
  failPoint('restore-step');
}

function read(path: string): Replacement | undefined | 'unreadable' {
  if (!existsSync(path)) return undefined;
  try {
    return Replacement.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return 'unreadable';
  }
}
