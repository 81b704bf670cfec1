/** Why the node cannot start, in a sentence that says what to do. Hosts print `message` and stop. */
export class StartupError extends Error {}

/** What the system answers when a file cannot be read or written, which whoever starts the node can mend. */
const FILE_CODES = new Set(['EACCES', 'EDQUOT', 'EFBIG', 'EIO', 'EISDIR', 'ENOSPC', 'ENOTDIR', 'EPERM', 'EROFS']);

/** The same in words, for an error that says so. */
export function fileTrouble(error: unknown, folder: string): StartupError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!FILE_CODES.has(code)) return undefined;
  return new StartupError(
    `A file in ${folder} cannot be read or written (${code}). Is there room on the disk, and may this user do that?`,
    { cause: error },
  );
}
