import { existsSync } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { isPeriod, monthPeriod, type Period, quarterPeriod, yearPeriod } from '../../../src-shared/statements/period.ts';
import { STATEMENT_FORMATS } from '../../../src-shared/statements/statement.ts';
import { LANGUAGES } from '../../../src-shared/words/catalogues/languages.ts';
import { bytesText } from '../../../src-shared/words/duration-text.ts';
import { commandWords } from '../../../src-shared/words/terminal/commands.ts';
import { z } from '../../../src-shared/zod.ts';
import { ReportedError } from '../../platform/errors.ts';
import type { OperatorConnection } from '../operator-connection.ts';
import type { CommandAnswer, TypedCommand } from './command.ts';

const Accounts = z.object({ items: z.array(z.object({ id: z.string(), name: z.string() })), nextCursor: z.string().nullable() });

const words = commandWords.statement;

type Node = Pick<OperatorConnection, 'request' | 'download'>;
type Options = TypedCommand['options'];

/**
 * Writes the statement of an account into a file. The file has its name only once it is whole.
 * @throws ReportedError with what was typed wrong, or with why the file could not be written.
 */
export async function statement(node: Node, { options }: TypedCommand): Promise<CommandAnswer> {
  const { account = '', format = 'csv', language = 'en', out } = options;
  if (account === '') throw new ReportedError(words.accountNeeded);
  if (out === undefined) throw new ReportedError(words.outNeeded);
  if (!STATEMENT_FORMATS.some((one) => one === format))
    throw new ReportedError(words.formatWrong({ format, formats: STATEMENT_FORMATS.join(', ') }));
  if (!LANGUAGES.some((one) => one === language))
    throw new ReportedError(words.languageWrong({ language, languages: LANGUAGES.join(', ') }));
  const period = periodOf(options);
  if (period === undefined) throw new ReportedError(words.periodNeeded);
  if (existsSync(out)) throw new ReportedError(words.exists({ file: out }));
  const accountId = await idOf(node, account);
  const query = new URLSearchParams({ accountId, ...period, format, language });
  const bytes = await save(node.download(`/operator/api/statements/export?${query}`), out);
  return { lines: [words.done({ file: out, bytes: bytesText(bytes) })], exitCode: 0 };
}

/** The days that were typed in one of the ways. It is undefined when none was typed, or several were. */
export function periodOf({ month, quarter, year, from, until }: Options): Period | undefined {
  const ways = [month, quarter, year, from ?? until].filter((one) => one !== undefined);
  if (ways.length !== 1) return undefined;
  if (month !== undefined) return monthPeriod(month);
  if (quarter !== undefined) return quarterPeriod(quarter);
  if (year !== undefined) return yearPeriod(year);
  return from !== undefined && until !== undefined && isPeriod(from, until) ? { from, to: until } : undefined;
}

async function idOf(node: Node, name: string): Promise<string> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = new URLSearchParams({ text: name, limit: '50', ...(cursor !== undefined && { cursor }) });
    const { items, nextCursor } = await node.request('GET', `/operator/api/accounts?${query}`, Accounts);
    const found = items.find((one) => one.name === name);
    if (found !== undefined) return found.id;
    cursor = nextCursor;
  }
  throw new ReportedError(words.noAccount({ name }));
}

/** @returns how many bytes the file has. */
async function save(pieces: AsyncIterable<Buffer>, out: string): Promise<number> {
  const part = `${out}.part`;
  try {
    await write(pieces, part);
    await rename(part, out);
    return (await stat(out)).size;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    if (error instanceof ReportedError) throw error;
    const code = error instanceof Error && 'code' in error && 'syscall' in error ? String(error.code) : undefined;
    const isOfFile = error instanceof Error && 'path' in error && code !== undefined;
    throw new ReportedError(isOfFile ? words.notWritten({ file: out, reason: code }) : words.broken);
  }
}

async function write(pieces: AsyncIterable<Buffer>, part: string): Promise<void> {
  let file: Awaited<ReturnType<typeof open>> | undefined;
  try {
    for await (const piece of pieces) {
      // The node may refuse first, and then there is nothing to write.
      file ??= await open(part, 'w');
      await file.writeFile(piece);
    }
    await file?.sync();
  } finally {
    await file?.close();
  }
}
