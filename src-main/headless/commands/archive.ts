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
  nextCursor: z.string().nullable(),
});

const words = commandWords.archive;

/**
 * Lists the files of the archive after it has checked each, or shows as JSON what the archive has of one payment: one
 * row a line. The exit code is 2 when a file is missing or damaged, and 0 otherwise.
 */
export const archive: Command = async (node, { options: { payment } }, print) => {
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
  const problems = new Set<string>();
  let isEmpty = true;
  for (let next: string | null = ''; next !== null; ) {
    const from = next === '' ? '' : `?cursor=${next}`;
    const part: z.infer<typeof Details> = await node.request('GET', `/operator/api/payments/${id}/archived${from}`, Details);
    // A payment of many packets has more rows than fit into the memory, so each part is printed when it comes.
    for (const row of part.rows) print(JSON.stringify(row));
    for (const { file, state } of part.problems) problems.add(archiveTroubleText(file, state));
    isEmpty &&= part.rows.length === 0;
    next = part.nextCursor;
  }
  return { lines: [...(isEmpty ? [words.nothing] : []), ...problems], exitCode: problems.size > 0 ? 2 : 0 };
};
