/** Why a change was not stored: the console and the terminal show it. */
export const storageWords = {
  notStored: 'The change could not be stored. Is the disk full?',
  stopped: 'The database takes no more writes because one could not be stored safely. Check the disk, then restart paydesk.',
  closed: 'The database is closed.',
} as const;
