import { inMegabytes } from '../words.ts';

/** Why the node cannot start on its data folder, and what the operator can do. */
export const dataFolderProblems = {
  taken: (folder: string) => `Another paydesk is already running on ${folder}. Stop it first, or choose another folder with --data-dir.`,
  databaseOpen: (folder: string) =>
    `Another program has the database in ${folder} open, perhaps another paydesk whose file paydesk.lock was deleted. Stop it first, or choose another folder with --data-dir.`,
  /** @param code the operating system's error code, such as EACCES. It is undefined when there is none. */
  notWritable: (folder: string, code: string | undefined) =>
    `The data folder ${folder} cannot be written${code === undefined ? '' : ` (${code})`}. Give this user the right to write there, or choose another folder with --data-dir.`,
  fileTrouble: (folder: string, code: string) =>
    `A file in ${folder} cannot be read or written (${code}). Is there room on the disk, and may this user do that?`,
  booksMissing: (file: string, folder: string) =>
    `${file} is missing in ${folder}, or empty, though a node has run there. Put it back, or restore your last backup; for a new node choose another folder with --data-dir.`,
  secretsMissing: (file: string, folder: string) =>
    `${file} is missing in ${folder}; without it payments in progress cannot be finished. Put it back, or restore your last backup into another folder.`,
  restoreCutShort: (folder: string) =>
    `A backup was being restored into ${folder} and is not there yet. Give the command restore once more; for a new node choose another folder with --data-dir.`,
  replacementUnreadable: (folder: string, file: string, prepared: string) =>
    `A backup was taking the place of the node in ${folder}, and the file ${file} that says so cannot be read. Leave everything in that folder as it is: the backup lies in ${prepared}, and the node before it in the folder itself or in one whose name begins with replaced-. Restore the backup once more with the command restore, into another folder that you name with --data-dir, and start paydesk there.`,
} as const;

/** Why the database cannot be opened. */
export const databaseProblems = {
  damaged: 'The database in the data folder is damaged. Restore the last backup of the data folder.',
  notOpened: 'The database in the data folder cannot be opened. Give this user the right to read and write it.',
  notWritten:
    'The database in the data folder cannot be written, the disk may be full or broken. Make room, or restore the last backup on another disk.',
  held: 'Another program holds the database in the data folder. Close whatever has paydesk.db open, and start paydesk again.',
  newer:
    'This data folder was written by a newer version of paydesk. Install that version or newer, or choose another folder with --data-dir.',
  /** @param needed and @param free in bytes */
  noRoomToUpgrade: (needed: number, free: number) =>
    `This version upgrades the database. That needs ${inMegabytes(needed)} MB on the disk of the data folder, and ${inMegabytes(free)} MB are free. Make room and start paydesk again; nothing was changed.`,
  brokenReferences: (count: number) =>
    `The database would have ${count} broken references after its upgrade, so it was left as it is. Restore the last backup of the data folder.`,
} as const;

/** Why the file of the node's secrets cannot be opened, for each kind of protection. */
export const secretsProblems = {
  damaged: (file: string) =>
    `${file} in the data folder is damaged or cannot be read. Restore it from your backup; without it payments in progress cannot be finished.`,
  locked: {
    passphrase: (file: string) =>
      `${file} is encrypted. Give its passphrase in a file with --secrets-passphrase-file, or in PAYDESK_SECRETS_PASSPHRASE.`,
    keychain: (file: string) =>
      `${file} is encrypted with a key in the keychain of the desktop app. Start paydesk there, or restore a backup here.`,
  },
  wrong: {
    passphrase: (file: string) => `The passphrase does not open ${file}.`,
    keychain: (file: string) => `The keychain of this user does not open ${file}. Restore a backup if the folder is from another computer.`,
  },
} as const;

/** Why a listener cannot listen. */
export const listenProblems = {
  taken: (host: string, port: number) =>
    `Port ${port} on ${host} is taken by another program. Stop that one, or choose another with --listen HOST:PORT.`,
  notAllowed: (port: number) => `This user may not listen on port ${port}. Choose one above 1023 with --listen HOST:PORT.`,
  notHere: (host: string) => `${host} is not an address of this computer. Choose one with --listen HOST:PORT.`,
  consoleNotHere: 'The console must stay on this computer: choose 127.0.0.1, not another address.',
  consoleTaken: (host: string, port: number, code: string) =>
    `The console cannot listen on ${host}:${port} (${code}). Choose another address with --console.`,
  consoleNotBuilt: 'The console is not built. Run "npm run build" first.',
} as const;
