import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Backups } from '../backup/backups.ts';
import type { BackupTask, MakeBackup, OpenBackup } from '../backup/tasks.ts';
import type { Core } from '../platform/core.ts';
import type { NodeSecrets, StoredSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { version } from '../platform/version.ts';

/** How often the node checks whether a scheduled backup is due, in milliseconds. */
const LOOK_MS = 60_000;

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  dataFolder: string;
  makeBackup: MakeBackup;
  secrets: NodeSecrets;
  /** The secrets as they are stored at the time of the call. */
  storedSecrets: () => StoredSecrets;
}

/** The folder in the data folder for backups, unless the operator chooses another. */
const FOLDER = 'backups';

/** Wires backups and starts the schedule that makes them. */
export function assembleBackups({ database, dataFolder, makeBackup, secrets, storedSecrets, clock, log }: Parts) {
  const folder = join(dataFolder, FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const backups = new Backups({
    database,
    databaseFile: join(dataFolder, 'paydesk.db'),
    dataFolder,
    secrets: storedSecrets,
    version,
    seal: new Seal(secrets.derive('backup-schedule')),
    clock,
    log,
    makeBackup,
  });
  const looking = setInterval(() => void backups.runDue(), LOOK_MS);
  void backups.runDue();
  return { backups, folder, stop: () => clearInterval(looking) };
}

/** Runs each task in a thread of its own, so that the node can answer requests in the meantime. */
export class BackupThreads {
  readonly #workerFile: string;
  readonly #running = new Set<Worker>();
  #stopped = false;

  /** @param workerFile the built thread for backups. */
  constructor(workerFile: string) {
    this.#workerFile = workerFile;
  }

  readonly run: MakeBackup & OpenBackup = <Answer extends object>(task: BackupTask): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(this.#workerFile, { workerData: task });
      this.#running.add(worker);
      worker.once('message', (answer: Answer | { failed: unknown }) => {
        if ('failed' in answer) reject(new Error('the task failed', { cause: answer.failed }));
        else resolve(answer);
      });
      worker.once('error', reject);
      worker.once('exit', () => {
        this.#running.delete(worker);
        if (!this.#stopped) reject(new Error('the thread ended without an answer'));
      });
    });

  /**
   * Ends the running tasks without an answer to their callers. The node may start again within this process, and an old
   * thread must not write into the new node's folder.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#running].map((worker) => worker.terminate()));
  }
}
