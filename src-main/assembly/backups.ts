import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditBook } from '../audit/audit-book.ts';
import { Backups, type Source } from '../backup/backups.ts';
import type { Core } from '../platform/core.ts';
import type { NodeSecrets, StoredSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { version } from '../platform/version.ts';

/** How often the node checks whether a scheduled backup is due, in milliseconds. */
const LOOK_MS = 60_000;

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  dataFolder: string;
  books: Source;
  /** Whether this process makes the scheduled backups. */
  isMine: () => boolean;
  /** Calls `wake` whenever another replica is gone. It may have been the one that kept the schedule. */
  onGone?: (wake: () => void) => void;
  audit: AuditBook;
  secrets: NodeSecrets;
  /** The secrets as they are stored at the time of the call. */
  storedSecrets: () => StoredSecrets;
}

/** The folder in the data folder for backups, unless the operator chooses another. */
const FOLDER = 'backups';

/** Wires backups and starts the schedule that makes them. */
export function assembleBackups({ secrets, storedSecrets, onGone, ...parts }: Parts) {
  const folder = join(parts.dataFolder, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const backups = new Backups({ ...parts, secrets: storedSecrets, version, seal: new Seal(secrets.derive('backup-schedule')) });
  const look = () => void backups.runDue();
  const looking = setInterval(look, LOOK_MS);
  onGone?.(look);
  look();
  return { backups, folder, stop: () => clearInterval(looking) };
}
