import { statfsSync } from 'node:fs';

/**
 * The bytes that this user may still write on the disk of a folder.
 * @throws Error when the folder cannot be read.
 */
export function freeRoom(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
