import { area, extended } from '../language/language.ts';
import { inMegabytes } from '../words.ts';

const databaseText = area('databaseProblems');
const folderText = area('dataFolderProblems');

/** Why the node cannot start on its data folder, and what the operator can do. */
export const dataFolderProblems = extended('dataFolderProblems', () => ({
  /** @param code the operating system's error code, such as EACCES. It is undefined when there is none. */
  notWritable: (folder: string, code: string | undefined) =>
    code === undefined ? folderText.notWritable({ folder }) : folderText.notWritableCode({ folder, code }),
}));

/** Why the database cannot be opened. */
export const databaseProblems = extended('databaseProblems', () => ({
  /** @param needed and @param free in bytes */
  noRoomToUpgrade: (needed: number, free: number) => databaseText.noRoomToUpgrade({ needed: inMegabytes(needed), free: inMegabytes(free) }),
}));

/** Why the file of the node's secrets cannot be opened, for each kind of protection. */
export const secretsProblems = area('secretsProblems');

/** Why a listener cannot listen. */
export const listenProblems = area('listenProblems');
