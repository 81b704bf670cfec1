import { parentPort, workerData } from 'node:worker_threads';
import { connect } from '../connection.ts';

// Moves the log of a database into its file, each time that it is asked to, in a thread of its own: this syncs twice.
// PASSIVE keeps nobody waiting, and moves what no reader needs any more.
const connection = connect(workerData as string);
parentPort?.on('message', () => {
  const [{ log, checkpointed }] = connection.pragma('wal_checkpoint(PASSIVE)') as [{ log: bigint; checkpointed: bigint }];
  parentPort?.postMessage({ pages: Number(log), moved: Number(checkpointed) });
});
parentPort?.once('close', () => connection.close());
