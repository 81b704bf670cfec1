import { dataFolderProblems } from '../../src-shared/words/terminal/starting.ts';

/**
 * An error whose `message` is written for the person at the terminal or the desktop, and says what to do. The program
 * shows it without a stack trace and ends.
 */
export class ReportedError extends Error {}

/** The codes of the system's errors about files that the person who starts the node can put right. */
const FILE_CODES = new Set(['EACCES', 'EDQUOT', 'EFBIG', 'EIO', 'EISDIR', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

/**
 * @returns an error that says in words what is wrong with a file. It is undefined when `error` has none of those codes.
 */
export function fileTrouble(error: unknown, folder: string): ReportedError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!FILE_CODES.has(code)) return undefined;
  return new ReportedError(dataFolderProblems.fileTrouble({ folder, code }), { cause: error });
}
