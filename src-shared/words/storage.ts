/** Why a change was not stored: the console and the terminal show it. */
export const storageWords = {
  notStored: 'The change could not be stored. Is the disk full?',
  held: 'Another program holds the database, so the change could not be stored. Close whatever has paydesk.db open, and try again.',
  stopped: 'The database takes no more writes because one could not be stored safely. Check the disk, then restart paydesk.',
  damaged:
    'A part of the database cannot be read, so no money moves. Stop paydesk, keep a copy of the data folder, check the disk, and restore the last good backup.',
  closed: 'The database is closed.',
} as const;
