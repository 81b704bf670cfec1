import { archiveTroubleText } from '../../../src-shared/words/storage.ts';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { z } from '../../../src-shared/zod.ts';
import { ReportedError } from '../../platform/errors.ts';
import { isId } from '../../platform/ids.ts';
import type { Command } from './command.ts';

const Files = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      month: z.string(),
      rows: z.number(),
      bytes: z.number(),
      state: z.enum(['whole', 'missing', 'damaged']).nullable(),
    }),
  ),
});
const Details = z.object({
  rows: z.array(z.object({ kind: z.string(), row: z.record(z.string(), z.unknown()) })),
  problems: z.array(z.object({ file: z.string(), state: z.enum(['missing', 'damaged']) })),
});

const words = commandWords.archive;

/**
 * Lists the files of the archive after it has checked each, or shows as JSON what the archive has of one payment: one
 * row a line. The exit code is 2 when a file is missing or damaged, and 0 otherwise.
 */
export const archive: Command = async (node, { options: { payment } }) => {
  if (payment === undefined) {
    const { files } = await node.request('GET', '/operator/api/health/archive?check=true', Files);
    const lines = files.map(({ file, month, rows, bytes, state }) =>
      state === null || state === 'whole' ? words.whole(month, rows, bytes, file) : words.trouble(month, file, state),
    );
    return {
      lines: files.length === 0 ? [words.empty] : lines,
      exitCode: files.some(({ state }) => state === 'missing' || state === 'damaged') ? 2 : 0,
    };
  }
  const id = payment.toLowerCase();
  if (!isId(id)) throw new ReportedError(words.notAnId);
  const { rows, problems } = await node.request('GET', `/operator/api/payments/${id}/archived`, Details);
  const told = rows.length === 0 ? [words.nothing] : rows.map((row) => JSON.stringify(row));
  return { lines: [...told, ...problems.map(({ file, state }) => archiveTroubleText(file, state))], exitCode: problems.length > 0 ? 2 : 0 };
};
