import { parentPort } from 'node:worker_threads';
import { type CheckTask, checkAll } from './checking.ts';

// A thread of its own for the signatures of requests, see SignatureThread.
parentPort?.on('message', (task: CheckTask) => parentPort?.postMessage(checkAll(task)));
