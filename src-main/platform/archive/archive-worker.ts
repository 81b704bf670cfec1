import { parentPort, workerData } from 'node:worker_threads';
import { type ArchiveTask, readArchive } from './archive-reader.ts';

// Reads files of the archive in a thread of its own, so that the node goes on answering meanwhile.
parentPort?.postMessage(await readArchive(workerData as ArchiveTask));
