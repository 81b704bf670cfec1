import { parentPort, workerData } from 'node:worker_threads';
import { connect, executeOn } from '../connection.ts';
import type { ReadAnswer, ReadTask } from './read-thread.ts';

// The thread that answers long questions to one database file; see ReadThread.
const connection = connect(workerData as string, 'reading');
// Nobody waits for this thread but who has asked it.
connection.pragma('busy_timeout = 5000');
const execute = executeOn(connection);

parentPort?.on('message', async ({ sql, params, method }: ReadTask) => {
  // An error loses its code on its way to another thread.
  const answer: ReadAnswer = await execute(sql, params, method).catch((error: Error & { code?: string }) => ({ error, code: error.code }));
  parentPort?.postMessage(answer);
});
