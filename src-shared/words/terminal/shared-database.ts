import { area, extended } from '../language/language.ts';

const sealText = area('sealKeyProblems');

/** Why the shared database cannot be used, and what the operator can do. @param where its host, port and name. */
export const sharedDatabaseProblems = area('sharedDatabaseProblems');

/** Why the key that seals the node's keys in a shared database cannot be used. */
export const sealKeyProblems = extended('sealKeyProblems', () => ({
  /** @param code its exit code. It is null when the program could not be started. */
  programFailed: (code: number | null) => (code === null ? sealText.programFailed : sealText.programFailedWith({ code: String(code) })),
}));
