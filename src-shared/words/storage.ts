import { area } from './language/language.ts';
/** Why a change was not stored: the console and the terminal show it. */
export const storageWords = area('storageWords');

/** What can be wrong with a file of the archive. */
export type ArchiveTrouble = 'missing' | 'damaged';

const troubles = area('archiveTrouble');

/** Says what is wrong with a file of the archive, and what to do. @param file its name without the ending. */
export const archiveTroubleText = (file: string, trouble: ArchiveTrouble): string => troubles[trouble]({ file });
