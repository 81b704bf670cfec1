import { z } from 'zod';
import { TypedPassphrase, wrongPassphrase } from './lock.ts';
import { does, reads } from './operation.ts';
import { AssetValue, Id } from './values.ts';

/** How much of a backup comes in one part at most, in bytes. */
export const PART_BYTES = 256 * 1024;
/** What is typed to have a backup take the place of the node. */
const RESTORE_WORD = 'restore';

/** What is in a backup, before anything happens with it. */
export const BackupContent = z.object({
  madeAt: z.date(),
  /** The version of paydesk that made it. */
  version: z.string(),
  /** Under which address its node was reached; null when it never was. */
  publicUrl: z.string().nullable(),
  /** How many payments, in and out. */
  payments: z.number().int(),
  accounts: z.array(z.object({ name: z.string(), publicName: z.string(), ...AssetValue.shape, balance: z.bigint(), reserved: z.bigint() })),
  /** Opens the console once, after this backup was put in place from it: `/operator/session` takes it. For the page alone; it is shown nowhere. */
  returnSecret: z.string(),
});
export type BackupContent = z.infer<typeof BackupContent>;

/** A backup that has taken the place of a node in this folder. */
export const Restored = z.object({
  /** The id with which it was handed over. */
  id: Id,
  madeAt: z.date(),
  at: z.date(),
  /** The whole path of the folder with the node that was there before. */
  keptAside: z.string(),
});
export type Restored = z.infer<typeof Restored>;

const gone = { GONE: { status: 409, message: 'This backup is not there any more. Choose the file once more.' } };
const noRoom = { NO_ROOM: { status: 409, message: 'There is not enough room on the disk of the node.' } };

/** From a backup in the hand of the operator to the node that goes on with it. The file comes in parts, in their order. */
export const restore = {
  last: reads.route({ method: 'GET', path: '/restore' }).output(z.object({ last: Restored.nullable() })),
  begin: reads
    .route({ method: 'POST', path: '/restore', successStatus: 201 })
    .input(z.object({ bytes: z.number().int().positive() }))
    .errors({
      ...noRoom,
      FILE_TOO_LARGE: { status: 413, message: 'This file is larger than 4 GiB. Restore it with the command restore.' },
      RESTORE_BUSY: { status: 409, message: 'Another backup is being opened just now.' },
    })
    .output(z.object({ id: Id, partBytes: z.number().int() })),
  part: reads
    .route({ method: 'PUT', path: '/restore/part' })
    .input(
      z.object({
        id: Id,
        /** Where the part begins, in bytes. */
        offset: z.number().int().min(0),
        data: z
          .base64()
          .min(4)
          .max(Math.ceil(PART_BYTES / 3) * 4),
      }),
    )
    .errors({ ...gone, ...noRoom, OUT_OF_ORDER: { status: 409, message: 'The parts of a file come one after the other.' } })
    .output(z.object({ received: z.number().int() })),
  /** Opens it, and compares its books with what it says of them. Nothing of the node is touched. */
  look: reads
    .route({ method: 'POST', path: '/restore/look' })
    .input(z.object({ id: Id, passphrase: z.string().min(1).max(1024) }))
    .errors({
      ...gone,
      ...noRoom,
      UNFINISHED: { status: 409, message: 'Not all of the file has come yet.' },
      RESTORE_BUSY: { status: 409, message: 'It is being opened already.' },
      NO_BACKUP: { status: 422, message: 'This file is no backup of paydesk.' },
      NOT_OPENED: { status: 422, message: 'The passphrase does not open this backup, or the file is damaged.' },
      DAMAGED: { status: 422, message: 'The backup is damaged. Try an earlier one.' },
      NEWER_BACKUP: { status: 422, message: 'The backup was made by a newer version of paydesk. Install that version, or a newer one.' },
    })
    .output(BackupContent),
  /**
   * Stops the node, puts what was opened in its place, and starts it again. The old node is kept in a folder beside it. Its lock goes with it, so
   * whoever asks for that must know the passphrase.
   */
  start: does('backups', 'node.replaced')
    .route({ method: 'POST', path: '/restore/start' })
    .input(
      z.object({
        id: Id,
        confirm: z.literal(RESTORE_WORD),
        /** The one that unlocks the console of this node, when there is one. */
        lockPassphrase: TypedPassphrase.optional(),
      }),
    )
    .errors({
      ...gone,
      ...noRoom,
      ...wrongPassphrase,
      PASSPHRASE_NEEDED: {
        status: 403,
        message: 'The backup replaces the lock of this console, too. Enter the passphrase that unlocks it.',
      },
      UNFINISHED: { status: 409, message: 'Open the backup first.' },
    })
    .output(z.object({ keptAside: z.string() })),
  /** Throws away what was handed over. */
  discard: reads.route({ method: 'DELETE', path: '/restore' }).output(z.object({ discarded: z.literal(true) })),
};
