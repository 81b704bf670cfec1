import { resolve } from 'node:path';
import { z } from 'zod';
import { ReportedError } from '../../platform/errors.ts';
import type { Command } from './command.ts';

const Status = z.object({ suggestedFolder: z.string() });
const Made = z.object({ file: z.string(), bytes: z.number() });

/** Has the running node make a backup, and tells where it is. */
export const backup: Command = async (node, { options, config }) => {
  if (config.backupPassphrase === undefined) {
    throw new ReportedError(
      'Give a passphrase of at least 12 characters with --backup-passphrase-file. Without it nobody can open the backup, you included.',
    );
  }
  const folder =
    options.folder === undefined ? (await node.request('GET', '/operator/api/backups', Status)).suggestedFolder : resolve(options.folder);
  const { file, bytes } = await node.request('POST', '/operator/api/backups', Made, { folder, passphrase: config.backupPassphrase });
  return { lines: [`${file} holds everything up to now (${Math.ceil(bytes / 1024)} kB), and was opened again to verify it.`], exitCode: 0 };
};
