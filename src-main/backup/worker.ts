import { parentPort, workerData } from 'node:worker_threads';
import { describeError } from '../platform/logs/describe-error.ts';
import { guardTask } from './task-guard.ts';
import { type BackupTask, runBackupTask } from './tasks.ts';

// This file is the process of a task, and the thread of that process, which does the task. Its input, with the
// passphrase, stays in memory.
if (parentPort === null) guardTask(new URL(import.meta.url));
else parentPort.postMessage(await runBackupTask(workerData as BackupTask).catch((error: unknown) => ({ failed: describeError(error) })));
