import { Worker } from 'node:worker_threads';
import type { Logger } from '../platform/logs/logger.ts';
import type { AuditBook } from './audit-book.ts';
import type { AuditNews } from './audit-loop.ts';

/** How long the audit waits after it has failed, in milliseconds. */
const AGAIN_MS = 60_000;
/** How long the start of the node waits at most for the first comparison of all balances, in milliseconds. */
const START_MS = 5_000;

interface Parts {
  book: AuditBook;
  log: Logger;
  /** The built thread. */
  workerFile: string;
  /** The path of the node's database. */
  databaseFile: string;
}

/** Runs the audit in a thread of its own, for as long as the node runs. */
export class AuditThread {
  readonly #parts: Parts;
  readonly #compared = Promise.withResolvers<void>();
  #worker: Worker | undefined;
  #again: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Starts the audit. */
  start(): void {
    const { log, workerFile, databaseFile } = this.#parts;
    const worker = new Worker(workerFile, {
      workerData: databaseFile,
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 },
    });
    this.#worker = worker;
    worker.on('message', (news: AuditNews) => {
      void this.#take(news)
        .catch((err: unknown) => log.error({ err }, 'what the audit found could not be stored'))
        .then(() => worker.postMessage('go on'));
    });
    worker.once('error', (err) => {
      this.#parts.book.failed();
      log.error({ err }, 'the audit of the books has failed');
    });
    worker.once('exit', () => {
      this.#compared.resolve();
      if (this.#stopped) return;
      this.#again = setTimeout(() => this.start(), AGAIN_MS);
      this.#again.unref();
    });
  }

  /** Resolves when all balances were compared once. It does not wait longer than a few seconds. */
  async compared(): Promise<void> {
    const late = setTimeout(this.#compared.resolve, START_MS);
    await this.#compared.promise;
    clearTimeout(late);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#again);
    await this.#worker?.terminate();
  }

  async #take(news: AuditNews): Promise<void> {
    const { book } = this.#parts;
    if ('begins' in news) return book.beginRound();
    if ('ended' in news) return await book.endRound(news.ended);
    await book.take(news.step);
    // Books of an earlier version have many pieces to close first. The node need not wait for that.
    if (news.step.compared === true || news.step.close !== undefined) this.#compared.resolve();
  }
}
