import { filesOf } from '../../../platform/archive/archive.ts';
import type { OperatorContext } from '../../context.ts';

/** The files of the archive. @param check whether each is read and compared with what the books say. */
export async function archiveFiles({ database, readArchive }: OperatorContext, check: boolean) {
  const files = await filesOf(database.read);
  const states = new Map(check && files.length > 0 ? (await readArchive(files)).files.map(({ id, state }) => [id, state]) : []);
  return files.map(({ id, month, rows, bytes }) => ({ file: id, month, rows, bytes, state: states.get(id) ?? null }));
}
