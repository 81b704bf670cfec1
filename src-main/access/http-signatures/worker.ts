import { parentPort } from 'node:worker_threads';
import { type CheckTask, checkAll } from './checking.ts';

// The thread that checks the signatures of requests; see SignatureThread.
parentPort?.on('message', (task: CheckTask) => parentPort?.postMessage(checkAll(task)));
