/** Why a change was not stored: the console and the terminal show it. */
export const storageWords = {
  notStored: 'The change could not be stored. Is the disk full?',
  busy: 'Too many changes wait to be stored, so this one was refused before it began. Try again soon.',
  held: 'Another program holds the database, so the change could not be stored. Close whatever has paydesk.db open, and try again.',
  stopped: 'The database takes no more writes because one could not be stored safely. Check the disk, then restart paydesk.',
  damaged:
    'A part of the database cannot be read, so no money moves. Stop paydesk, keep a copy of the data folder, check the disk, and restore the last good backup.',
  unreachable: 'The change could not be stored, because the database server does not answer or does not take it.',
  unknown: 'The database server went away while it stored the change, so nobody knows yet whether it is stored.',
  wentBack:
    'The database server has lost changes that it had stored: it was put back from a copy, or a standby took over without them. No money moves until somebody has looked.',
  closed: 'The database is closed.',
} as const;

/** What can be wrong with a file of the archive. */
export type ArchiveTrouble = 'missing' | 'damaged';

/** Says what is wrong with a file of the archive, and what to do. @param file its name without the ending. */
export const archiveTroubleText = (file: string, trouble: ArchiveTrouble): string =>
  trouble === 'missing'
    ? `The file ${file}.archive is not in the folder archive of the data folder. Put it back from a copy; the books are whole without it.`
    : `The file ${file}.archive is not as your node wrote it, so what it says cannot be relied on. Check the disk, and put the file back from a copy; the books are whole without it.`;
