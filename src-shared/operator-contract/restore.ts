import { owner, readers } from '../people/roles.ts';
import { z } from '../zod.ts';
import { operatorErrors as texts } from './error-messages.ts';
import { TypedPassphrase, wrongPassphrase } from './lock.ts';
import { does, reads } from './operation.ts';
import { AssetValue, Id, Units } from './values.ts';

/** The largest part in which a backup is sent, in bytes. */
export const PART_BYTES = 256 * 1024;
/** The word that the operator types to replace the node with a backup. */
const RESTORE_WORD = 'restore';

/** What a backup holds. */
export const BackupContent = z.object({
  madeAt: z.date(),
  /** The version of paydesk that made the backup. */
  version: z.string(),
  /** The public URL of the node in the backup; null when it never had one. */
  publicUrl: z.string().nullable(),
  /** The number of incoming and outgoing payments. */
  payments: z.number().int(),
  accounts: z.array(z.object({ name: z.string(), publicName: z.string(), ...AssetValue.shape, balance: Units, reserved: Units })),
  /**
   * Opens the console once, through `/operator/session`, after this backup has replaced the node. Only the page uses
   * it, and never shows it.
   */
  returnSecret: z.string(),
});
export type BackupContent = z.infer<typeof BackupContent>;

/** A backup that has replaced the node of this folder. */
export const Restored = z.object({
  /** The id under which the backup was sent. */
  id: Id,
  madeAt: z.date(),
  at: z.date(),
  /** The absolute path of the folder that holds the replaced node. */
  keptAside: z.string(),
});
export type Restored = z.infer<typeof Restored>;

const gone = { GONE: { status: 409, message: texts.uploadGone } };
const noRoom = { NO_ROOM: { status: 409, message: texts.noRoom } };

/**
 * The operator sends a backup, looks at what it holds, and replaces the node with it. The file is sent in parts, in
 * order.
 */
export const restore = {
  last: reads(readers, 'The last backup that has replaced the node of this folder.')
    .route({ method: 'GET', path: '/restore' })
    .output(z.object({ last: Restored.nullable() })),
  begin: reads(owner, 'Begins to send a backup to the node, part by part.')
    .route({ method: 'POST', path: '/restore', successStatus: 201 })
    .input(z.object({ bytes: z.number().int().positive() }))
    .errors({
      ...noRoom,
      RESTORE_BUSY: { status: 409, message: texts.otherBackupBeingOpened },
    })
    .output(z.object({ id: Id, partBytes: z.number().int() })),
  part: reads(owner, 'Sends the next part of the backup.')
    .route({ method: 'PUT', path: '/restore/part' })
    .input(
      z.object({
        id: Id,
        /** The place where the part begins in the file, in bytes. */
        offset: z.number().int().min(0),
        data: z
          .base64()
          .min(4)
          .max(Math.ceil(PART_BYTES / 3) * 4),
      }),
    )
    .errors({ ...gone, ...noRoom, OUT_OF_ORDER: { status: 409, message: texts.partsOutOfOrder } })
    .output(z.object({ received: z.number().int() })),
  /** Opens the backup and compares its books with its description. It changes nothing in the node. */
  look: reads(owner, 'Opens the backup that was sent and tells what it holds. It changes nothing in the node.')
    .route({ method: 'POST', path: '/restore/look' })
    .input(z.object({ id: Id, passphrase: z.string().min(1).max(1024) }))
    .errors({
      ...gone,
      ...noRoom,
      UNFINISHED: { status: 409, message: texts.uploadUnfinished },
      RESTORE_BUSY: { status: 409, message: texts.backupBeingOpened },
      NO_BACKUP: { status: 422, message: texts.noBackup },
      NOT_OPENED: { status: 422, message: texts.backupNotOpened },
      DAMAGED: { status: 422, message: texts.backupDamaged },
      NEWER_BACKUP: { status: 422, message: texts.newerBackup },
      FOREIGN_PARTS: { status: 422, message: texts.foreignParts },
      UNFIT: { status: 422, message: texts.backupUnfit },
    })
    .output(BackupContent),
  /**
   * Stops the node, puts the opened backup in its place, and starts it again. The old node is kept in a folder beside
   * it. Its lock is replaced too, so the caller must know its passphrase.
   */
  start: does(owner, 'backups', 'node.replaced', 'Replaces the node with the backup that was opened, and starts it again.')
    .route({ method: 'POST', path: '/restore/start' })
    .input(
      z.object({
        id: Id,
        confirm: z.literal(RESTORE_WORD),
        /** The passphrase that unlocks the console of this node, when it has one. */
        lockPassphrase: TypedPassphrase.optional(),
      }),
    )
    .errors({
      ...gone,
      ...noRoom,
      ...wrongPassphrase,
      PASSPHRASE_NEEDED: {
        status: 403,
        message: texts.lockPassphraseNeeded,
      },
      UNFINISHED: { status: 409, message: texts.backupNotOpenedYet },
    })
    .output(z.object({ keptAside: z.string() })),
  /**
   * Deletes the backup that was sent, at any time until it takes the node's place. It ends an opening that is under
   * way.
   */
  discard: reads(owner, 'Deletes the backup that was sent.')
    .route({ method: 'DELETE', path: '/restore' })
    .errors({ RESTORE_BUSY: { status: 409, message: texts.backupTakesPlace } })
    .output(z.object({ discarded: z.literal(true) })),
};
