import { Worker } from 'node:worker_threads';
import { BEGINNING, type FileState, type Found, type FramePlace, readArchiveFile, type Search } from './archive-file.ts';
import type { ArchiveFile } from './tables.ts';

/** A place in the archive: a file, and where in it. */
export interface ArchivePlace extends FramePlace {
  readonly file: string;
}

/** What is looked for in the archive. */
export interface ArchiveSearch {
  /** What the lines begin with. */
  beginning: string;
  /** Where an earlier search has stopped. */
  from?: ArchivePlace | undefined;
  /** The search stops after so many lines, at the end of the frame in which it has them. */
  most: number;
}

export interface ArchiveTask {
  folder: string;
  files: ArchiveFile[];
  /** Without a search the files are only checked. */
  search?: ArchiveSearch | undefined;
}

/** How each file stands that was read, and the lines that were found in it. */
interface ArchiveAnswer {
  files: { id: string; state: FileState; lines: string[] }[];
  /** Where the search goes on. It is undefined when it has reached the end. */
  next?: ArchivePlace | undefined;
}

/** Reads files one after the other. @param readFile reads one of them. */
export async function readOneByOne(
  files: ArchiveFile[],
  search: ArchiveSearch | undefined,
  readFile: (file: ArchiveFile, search: Search) => Promise<Found>,
): Promise<ArchiveAnswer> {
  const answer: ArchiveAnswer = { files: [] };
  const wanted = (line: string): boolean => search !== undefined && line.startsWith(search.beginning);
  const from = search?.from;
  let left = search?.most ?? Number.POSITIVE_INFINITY;
  const first = from === undefined ? 0 : files.findIndex(({ id }) => id === from.file);
  if (from !== undefined && first < 0) return { files: [{ id: from.file, state: 'missing', lines: [] }] };
  for (const file of files.slice(first)) {
    const place = file.id === from?.file ? from : BEGINNING;
    if (left <= 0) return { ...answer, next: { file: file.id, ...place } };
    const { next, ...read } = await readFile(file, { wanted, from: place, most: left });
    answer.files.push({ id: file.id, ...read });
    if (next !== undefined) return { ...answer, next: { file: file.id, ...next } };
    left -= read.lines.length;
  }
  return answer;
}

/** Reads files in a folder. It keeps the thread busy. */
export const readArchive = ({ folder, files, search }: ArchiveTask): Promise<ArchiveAnswer> =>
  readOneByOne(files, search, (file, wanted) => readArchiveFile(folder, file, wanted));

/** Reads files of the archive without holding the main thread. */
export type ReadArchive = (files: ArchiveFile[], search?: ArchiveSearch) => Promise<ArchiveAnswer>;

/** @param workerFile the built thread. */
export const readArchiveInThread =
  (workerFile: string, folder: string): ReadArchive =>
  (files, search) =>
    new Promise((resolve, reject) => {
      const worker = new Worker(workerFile, { workerData: { folder, files, search } satisfies ArchiveTask });
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error('the thread ended without an answer')));
    });
