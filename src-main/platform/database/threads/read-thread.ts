import { Worker } from 'node:worker_threads';
import type { Execute } from '../query-builder/builder.ts';

export interface ReadTask {
  sql: string;
  params: unknown[];
  method: Parameters<Execute>[2];
}

/** What a statement has read, or why it failed. */
export type ReadAnswer = { rows: unknown[] } | { error: Error; code: string | undefined };

interface Asked {
  readonly resolve: (answer: { rows: unknown[] }) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Answers statements in one thread with a connection of its own, one after the other. It changes no rows, but it can
 * move the log into the file. The thread begins with the first statement, so that a node whose operator never looks
 * does without it, and a node that rests does so again.
 */
export class ReadThread {
  readonly #workerFile: string;
  readonly #databaseFile: string;
  #worker: Worker | undefined;
  /** Statements under way, oldest first. The thread answers them in this order. */
  readonly #asked: Asked[] = [];
  #stopped = false;

  /** @param workerFile the built thread. @param databaseFile the database, with its newest schema. */
  constructor(workerFile: string, databaseFile: string) {
    this.#workerFile = workerFile;
    this.#databaseFile = databaseFile;
  }

  /** @throws Error when the statement fails, or when the thread has ended. The next statement starts a new thread. */
  readonly execute: Execute = (sql, params, method) =>
    new Promise((resolve, reject) => {
      if (this.#stopped) {
        reject(new Error('the database is closed'));
        return;
      }
      this.#asked.push({ resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage({ sql, params, method } satisfies ReadTask);
    });

  /** Ends the thread, unless it is busy, and so gives its memory back. The next statement starts a new one. */
  async rest(): Promise<void> {
    if (this.#asked.length > 0) return;
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  /** Ends the thread and its connection. Statements under way fail. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#workerFile, { workerData: this.#databaseFile, resourceLimits: { maxYoungGenerationSizeMb: 4 } });
    worker.on('message', (answer: ReadAnswer) => {
      const asked = this.#asked.shift();
      if ('error' in answer) asked?.reject(Object.assign(answer.error, { code: answer.code }));
      else asked?.resolve(answer);
    });
    // The error that ended the thread becomes the cause of the refusals. Without a listener it would end the node.
    let why: unknown;
    worker.once('error', (error) => {
      why = error;
    });
    worker.once('exit', () => {
      // What was asked since a rest is another thread's.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const { reject } of this.#asked.splice(0)) reject(new Error('the thread for statements has ended', { cause: why }));
    });
    return worker;
  }
}
