import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../platform/data-folder/data-folder.ts';
import { GENERATION_FILE } from '../platform/data-folder/generation.ts';
import { ReportedError } from '../platform/errors.ts';
import { failPoint } from '../platform/fail-points.ts';
import { NEXT_SECRETS_FILE, SECRETS_FILE } from '../platform/secrets/node-secrets.ts';

// How a restored node takes the place of the one in a data folder, so that a crash at any moment leaves either of them and never a mixture.

/** What took the place of what, for the operator who wants to know. */
export const Replacement = z.object({
  id: z.string(),
  /** When the backup was made, ISO 8601. */
  madeAt: z.iso.datetime(),
  /** When it was put in place, ms since the epoch. */
  at: z.number().int(),
  /** The folder, in the data folder, with the node that was there before. */
  keptAside: z.string(),
  /** Signs the browser in again that has restored it: the SHA-256 of a secret that works once. */
  returning: z.object({ secretHash: z.string(), expiresAt: z.number().int() }).optional(),
});
export type Replacement = z.infer<typeof Replacement>;

export const DATABASE_FILE = 'paydesk.db';
/** Whatever has this name is thrown away at each start, so it is none that anybody would give to a folder of their own. */
const PREPARED = 'restore-prepared';
/** It lies in the data folder from the moment on which the prepared node is the one that counts until everything of it is in its place. */
const DECIDED = 'restore.json';
const DONE = 'restored.json';

/** Where the database and the secrets of a restored node are laid ready. */
export const preparedFolder = (dataFolder: string): string => join(dataFolder, PREPARED);

/** From the end of this call on the prepared node is the one of the folder: {@link finishReplacement} does the rest, now or at the next start. */
export function decideReplacement(dataFolder: string, replacement: Replacement): void {
  failPoint('restore-step');
  writePrivateFile(join(dataFolder, DECIDED), `${JSON.stringify(replacement)}\n`);
  failPoint('restore-step');
}

/**
 * Ends a replacement that was decided, however far an earlier attempt has come; what was only prepared is thrown away. Call it before anything of the
 * folder is opened.
 * @throws ReportedError when the file that says so cannot be read.
 */
export function finishReplacement(dataFolder: string): void {
  const [prepared, decided] = [preparedFolder(dataFolder), join(dataFolder, DECIDED)];
  const replacement = read(decided);
  if (replacement === 'unreadable') {
    // Without it the next start would take what lies ready for something that nobody wanted, and throw it away.
    throw new ReportedError(
      `A backup was taking the place of the node in ${dataFolder}, and the file ${decided} that says so cannot be read. Leave everything in that folder as it is: the backup lies in ${prepared}, and the node before it in the folder itself or in one whose name begins with replaced-. Restore the backup once more with the command restore, into another folder that you name with --data-dir, and start paydesk there.`,
    );
  }
  if (replacement !== undefined) {
    const aside = join(dataFolder, replacement.keptAside);
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    // While the new file is not in its place, the one that is there is the old one.
    if (existsSync(join(prepared, SECRETS_FILE))) {
      move(SECRETS_FILE, dataFolder, aside);
      move(SECRETS_FILE, prepared, dataFolder);
    }
    if (existsSync(join(prepared, DATABASE_FILE))) {
      // Without the count beside it the new database shows as the copy that it is.
      for (const name of [NEXT_SECRETS_FILE, GENERATION_FILE, `${DATABASE_FILE}-wal`, `${DATABASE_FILE}-shm`, DATABASE_FILE]) {
        move(name, dataFolder, aside);
      }
      move(DATABASE_FILE, prepared, dataFolder);
    }
    renameSync(decided, join(dataFolder, DONE));
    failPoint('restore-step');
  }
  rmSync(prepared, { recursive: true, force: true });
}

/** The last replacement in this folder; undefined when there was none, or the file that tells of it cannot be read. */
export function lastReplacement(dataFolder: string): Replacement | undefined {
  const last = read(join(dataFolder, DONE));
  return last === 'unreadable' ? undefined : last;
}

/** Takes the way back for the browser that has restored the node out of the file. */
export function forgetReturning(dataFolder: string): void {
  const replacement = lastReplacement(dataFolder);
  if (replacement?.returning === undefined) return;
  const { returning: _, ...rest } = replacement;
  writePrivateFile(join(dataFolder, DONE), `${JSON.stringify(rest)}\n`);
}

/** Such as `replaced-2026-11-21-193000`. @param at ms since the epoch */
export function asideName(at: number): string {
  const [day = '', time = ''] = new Date(at).toISOString().split('T');
  return `replaced-${day}-${time.slice(0, 8).replaceAll(':', '')}`;
}

function move(name: string, from: string, to: string): void {
  if (!existsSync(join(from, name))) return;
  renameSync(join(from, name), join(to, name));
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
