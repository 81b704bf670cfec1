/**
 * An error whose `message` is written for the person at the terminal or the desktop and says what to do. The hosts show it
 * without a stack trace and end the program.
 */
export class ReportedError extends Error {}

/** What the system answers when a file cannot be read or written, which whoever starts the node can mend. */
const FILE_CODES = new Set(['EACCES', 'EDQUOT', 'EFBIG', 'EIO', 'EISDIR', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

/** The same in words, for an error that says so. */
export function fileTrouble(error: unknown, folder: string): ReportedError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!FILE_CODES.has(code)) return undefined;
  return new ReportedError(
    `A file in ${folder} cannot be read or written (${code}). Is there room on the disk, and may this user do that?`,
    { cause: error },
  );
}
