import { bytesText } from '../duration-text.ts';
import { area, extended } from '../language/language.ts';
import { type ArchiveTrouble, archiveTroubleText } from '../storage.ts';
import { inMegabytes } from '../words.ts';

const text = area('commandWords');

/** What the commands of the headless node print, and what they say when they cannot do what was typed. */
export const commandWords = extended('commandWords', () => ({
  archive: {
    whole: (month: string, rows: number, bytes: number, file: string) => text.archive.whole({ month, rows, bytes: bytesText(bytes), file }),

    trouble: (month: string, file: string, trouble: ArchiveTrouble) =>
      text.archive.trouble({ month, trouble: archiveTroubleText(file, trouble) }),
  },
  backup: {
    /** @param needed and @param free in bytes */
    noRoom: (needed: number, free: number) => text.backup.noRoom({ needed: inMegabytes(needed), free: inMegabytes(free) }),
  },
  restore: {
    /** @param needed and @param free in bytes */
    noRoom: (needed: number, free: number) => text.restore.noRoom({ needed: inMegabytes(needed), free: inMegabytes(free) }),
  },
}));
