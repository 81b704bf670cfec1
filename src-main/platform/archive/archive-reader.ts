import { Worker } from 'node:worker_threads';
import { type FileState, readArchiveFile } from './archive-file.ts';
import type { ArchiveFile } from './tables.ts';

export interface ArchiveTask {
  folder: string;
  files: ArchiveFile[];
  /** What the lines begin with that are looked for. Without it the files are only checked. */
  beginning?: string | undefined;
}

/** How each file stands, and the lines that were found in it. */
type ArchiveAnswer = { id: string; state: FileState; lines: string[] }[];

/** Reads files one after the other. It keeps the thread busy. */
export async function readArchive({ folder, files, beginning }: ArchiveTask): Promise<ArchiveAnswer> {
  const answer: ArchiveAnswer = [];
  for (const file of files) {
    const read = await readArchiveFile(folder, file, (line) => beginning !== undefined && line.startsWith(beginning));
    answer.push({ id: file.id, ...read });
  }
  return answer;
}

/** Reads files of the archive, beside the main thread. */
export type ReadArchive = (files: ArchiveFile[], beginning?: string) => Promise<ArchiveAnswer>;

/** @param workerFile the built thread. */
export const readArchiveInThread =
  (workerFile: string, folder: string): ReadArchive =>
  (files, beginning) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(workerFile, { workerData: { folder, files, beginning } satisfies ArchiveTask });
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread ended without an answer')));
    });
