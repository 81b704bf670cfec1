import { Worker } from 'node:worker_threads';

/** What a checkpoint has found and done. */
export interface Checkpoint {
  /** The pages in the log. */
  readonly pages: number;
  /** How many of them are in the file now. When it is all, and nobody reads, the next commit begins the log anew. */
  readonly moved: number;
}

/** Moves SQLite's log into its file in a thread of its own, so that the node does not wait for the disk meanwhile. */
export class CheckpointThread {
  readonly #start: () => Worker;
  #worker: Worker | undefined;
  readonly #asked: PromiseWithResolvers<Checkpoint>[] = [];
  #ended: Error | undefined;

  /** The thread starts with the first checkpoint. @param workerFile the built thread. */
  constructor(workerFile: string, databaseFile: string) {
    const limits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 };
    this.#start = () => new Worker(workerFile, { workerData: databaseFile, resourceLimits: limits });
  }

  /** @throws Error when the thread has ended. */
  async run(): Promise<Checkpoint> {
    if (this.#ended) throw this.#ended;
    const asked = Promise.withResolvers<Checkpoint>();
    this.#asked.push(asked);
    this.#worker ??= this.#listen(this.#start());
    this.#worker.postMessage('checkpoint');
    return await asked.promise;
  }

  /** Ends the thread after the checkpoint under way. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#asked.map(({ promise }) => promise));
    await this.#worker?.terminate();
  }

  #listen(worker: Worker): Worker {
    worker.on('message', (done: Checkpoint) => this.#asked.shift()?.resolve(done));
    worker.once('error', (error) => this.#end(error));
    worker.once('exit', () => this.#end(new Error('the thread for checkpoints has ended')));
    return worker;
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#asked.splice(0)) reject(this.#ended);
  }
}
