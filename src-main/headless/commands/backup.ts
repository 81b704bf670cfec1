import { resolve } from 'node:path';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { z } from '../../../src-shared/zod.ts';
import { ReportedError } from '../../platform/errors.ts';
import { BACKUP_TIMEOUT_MS } from '../operator-connection.ts';
import type { Command } from './command.ts';

const words = commandWords.backup;
const Status = z.object({ suggestedFolder: z.string() });
const Made = z.object({ file: z.string(), bytes: z.number() });

/** Tells the running node to make a backup, and prints which file it is in. */
export const backup: Command = async (node, { options, config }) => {
  if (config.backupPassphrase === undefined) {
    throw new ReportedError(words.passphraseNeeded);
  }
  const folder =
    options.folder === undefined ? (await node.request('GET', '/operator/api/backups', Status)).suggestedFolder : resolve(options.folder);
  const wanted = { folder, passphrase: config.backupPassphrase };
  const { file, bytes } = await node.request('POST', '/operator/api/backups', Made, wanted, BACKUP_TIMEOUT_MS);
  return { lines: [words.made({ file, kilobytes: Math.ceil(bytes / 1024) })], exitCode: 0 };
};
