import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../platform/logs/describe-error.ts';
import { type BackupTask, runBackupTask } from './tasks.ts';

// A thread of its own for one task: the node goes on answering meanwhile. What it is given stays in memory.
const answer = await runBackupTask(workerData as BackupTask).catch((error: unknown) => ({ failed: describeError(error) }));
parentPort?.postMessage(answer);
