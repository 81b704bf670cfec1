import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { endAtOnce, toParent } from '../platform/child-process.ts';
import type { BackupTask } from './tasks.ts';

/** What {@link guardTask} gets from the node. */
export interface GuardedTask {
  readonly task: BackupTask;
  /** The most memory that this process may use, in bytes. */
  readonly mostBytes: number;
}

/**
 * The priority of making a backup, on the scale of `nice`: nobody waits for it, but clients wait for the node. It still
 * gets on beside a busy node, because the log of the database grows until it has read everything.
 */
const BEHIND_THE_NODE = 7;
/** How often the memory is looked at, in milliseconds. */
const LOOK_MS = 50;
/** The most memory for JavaScript objects of the thread, in MiB. Only native code needs more: scrypt and SQLite. */
const HEAP_MIB = 256;

/**
 * Takes one task from the parent process and runs it in a thread. This thread stays free meanwhile, so that it ends the
 * process when the task uses too much memory, and when the parent is gone. The parent ends the process when it takes
 * too long. A thread alone could not be ended while it is in native code.
 * @param threadFile the file of the thread, which gets the task as its `workerData` and posts the answer.
 */
export function guardTask(threadFile: URL): void {
  const parent = toParent();
  parent.once('message', (message) => {
    const { task, mostBytes } = message as GuardedTask;
    // Threads begin with the priority of the one that starts them.
    if (task.kind !== 'open') setPriority(BEHIND_THE_NODE);
    setInterval(() => {
      if (process.memoryUsage.rss() > mostBytes) endAtOnce();
    }, LOOK_MS);
    const thread = new Worker(threadFile, { workerData: task, resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB } });
    thread.once('message', (answer) => parent.send(answer));
    thread.once('error', endAtOnce);
  });
}
