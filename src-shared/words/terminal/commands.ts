import { bytesText } from '../duration-text.ts';
import { type ArchiveTrouble, archiveTroubleText } from '../storage.ts';
import { counted, inMegabytes } from '../words.ts';

/** What the commands of the headless node print, and what they say when they cannot do what was typed. */
export const commandWords = {
  /** The prompt for the passphrase that unlocks the console. */
  passphrase: 'Passphrase: ',
  notRunning: (dataDir: string) =>
    `No headless paydesk is running on ${dataDir}. Start it with "npm run headless", or name its folder with --data-dir.`,
  notReadable: (file: string) => `This user may not read ${file}. Give the command as the user who runs the node.`,
  otherVersion: 'The running node answers in a way this version does not know. Restart it with this version.',
  locked: 'The node is locked. Type "unlock" and its passphrase. Forgotten? Stop the node and type "remove-lock".',
  openConsole: 'Open the console (works once, within 10 minutes):',

  status: {
    title: (version: string, publicUrl: string) => `paydesk ${version} at ${publicUrl}`,
    noAccounts: 'No accounts yet. Open one with "create-account NAME --currency CODE".',
    balances: 'Balances:',
    setAside: (amount: string) => `, ${amount} set aside`,
    counts: (waiting: number, underWay: number, failed: number) =>
      `Requests waiting: ${waiting}. Payments under way: ${underWay}. Failed today: ${failed}.`,
    marks: { good: 'ok  ', warning: 'look', bad: 'BAD ' },
  },

  createAccount: {
    currencyNeeded: 'Name its currency, such as --currency EUR.',
    depositWrong: (decimals: number, example: string) =>
      `--deposit must be an amount with at most ${decimals} decimal places, such as ${example}.`,
    decimalsNeeded: (currency: string) => `${currency} is no ISO currency: say how many decimal places it has with --decimals.`,
    decimalsWrong: '--decimals must be a number from 0 to 18.',
    done: (walletAddress: string, balance: string) => `${walletAddress} is open with ${balance}.`,
  },

  unlock: {
    notLocked: 'The node is not locked.',
    nothingTyped: 'Nothing was typed. The node stays locked.',
    unlocked: 'The node is unlocked.',
    wait: (seconds: number) => `${counted(seconds, 'second', 'seconds')} to wait.`,
  },

  removeLock: {
    noNode: (dataDir: string) => `There is no node in ${dataDir}. Name its folder with --data-dir.`,
    removed: 'The console is not locked any more. Set a new passphrase under Settings.',
    nothingToRemove: 'There was no passphrase to remove.',
  },

  backup: {
    passphraseNeeded:
      'Give a passphrase of at least 12 characters with --backup-passphrase-file. Without it nobody can open the backup, you included.',
    made: (file: string, kilobytes: number) => `${file} holds everything up to now (${kilobytes} kB), and was opened again to verify it.`,
  },

  archive: {
    empty: 'Nothing is in the archive yet.',
    nothing: 'The archive has nothing of this payment.',
    notAnId: 'This is no id of a payment. It stands at the end of the address of its page.',
    whole: (month: string, rows: number, bytes: number, file: string) =>
      `ok   ${month}  ${counted(rows, 'row', 'rows')}, ${bytesText(bytes)}  ${file}.archive`,
    trouble: (month: string, file: string, trouble: ArchiveTrouble) => `BAD  ${month}  ${archiveTroubleText(file, trouble)}`,
  },

  restore: {
    problems: {
      no_backup: 'This file is no backup of paydesk.',
      locked: 'The passphrase does not open this backup, or the file is damaged.',
      damaged: 'The backup is damaged. Try an earlier one.',
      newer_format: 'The backup was made by a newer version of paydesk. Install that version, or a newer one.',
      other_books: 'The books in the backup are not those it says it holds. Try an earlier one.',
      newer_database: 'The backup was made by a newer version of paydesk. Install that version, or a newer one.',
      foreign_parts:
        'The database in this backup is not as paydesk makes it: something was added, changed or is missing. Nothing of it was used.',
      unfit: 'This file needs more time or memory than a backup of paydesk does. Nothing of it was used.',
      cancelled: 'Opening the backup was cancelled.',
      not_written:
        'What is in the backup could not be written. Make room on the disk of the data folder, or choose another one with --data-dir.',
    },
    passphraseNeeded: 'Give the passphrase of the backup with --backup-passphrase-file.',
    nodeThere: (dataDir: string) =>
      `There is a node in ${dataDir} already. Choose another folder with --data-dir, or move what is there away; keep it until the restored node has shown that it has everything.`,
    noFile: (file: string) => `There is no file ${file}, or this user may not read it.`,
    /** @param needed and @param free in bytes */
    noRoom: (needed: number, free: number) =>
      `The backup needs ${inMegabytes(needed)} MB on the disk of the data folder, and ${inMegabytes(free)} MB are free. Make room, or choose another folder with --data-dir.`,
    notRead: (file: string) => `The backup ${file} could not be read. Is its disk still there?`,
    done: (madeAt: string, dataDir: string) =>
      `The books of ${madeAt} are in ${dataDir}. Start the node there when no other one runs on the same books any more.`,
    afterwards:
      'Apps must fetch new tokens, what you had allowed them waits for you under Connected apps, and payments to other nodes that were under way wait for you under Payments.',
  },
} as const;
