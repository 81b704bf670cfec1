import { parentPort, workerData } from 'node:worker_threads';
import { measureDisk } from '../space.ts';

// Measures one database file in a thread of its own, so that the node goes on answering meanwhile.
parentPort?.postMessage(measureDisk(workerData as string));
