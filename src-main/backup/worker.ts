import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../platform/logs/describe-error.ts';
import { type BackupTask, runBackupTask } from './tasks.ts';

// Runs one task in a thread of its own, so that the node goes on answering meanwhile. Its input, with the passphrase,
// stays in memory.
const answer = await runBackupTask(workerData as BackupTask).catch((error: unknown) => ({ failed: describeError(error) }));
parentPort?.postMessage(answer);
