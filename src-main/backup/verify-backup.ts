import { createHash } from 'node:crypto';
import { type BackupHead, readBackupFile } from './backup-file.ts';
import { sameLedger } from './ledger-summary.ts';

/**
 * Opens a backup again.
 * @param written the SHA-256 of the database that it must hold.
 * @throws Error when it holds something else.
 */
export async function verifyBackup(file: string, passphrase: string, written: Buffer, head: BackupHead): Promise<void> {
  const read = createHash('sha256');
  const again = await readBackupFile(file, passphrase, async (database) => {
    for await (const part of database) read.update(part);
  });
  if (!again.ok) throw new Error(`the backup could not be read again: ${again.error}`);
  const isSame = read.digest().equals(written) && sameLedger(again.value.ledger, head.ledger);
  if (!isSame) throw new Error('the backup holds something else than the node');
}
