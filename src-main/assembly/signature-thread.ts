import { Worker } from 'node:worker_threads';
import type { ClientKey } from '../access/client-keys/client-key.ts';
import { type CheckSignature, checkAll, GENUINE } from '../access/http-signatures/checking.ts';

/** The most signatures in one task. The thread answers a task only when it has checked all of its signatures. */
const MAX_TASK = 16;

interface Asked {
  readonly resolve: (isGenuine: boolean) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Checks signatures in one thread. It sends many signatures to the thread together, because waking a thread costs the
 * main thread more than the rest of the work for a signature. So it gathers those of a turn of the event loop, and all
 * that come while the thread is busy. The process's own thread pool would be woken for each signature. A signature that
 * is alone in its turn wakes nobody.
 */
export class SignatureThread {
  readonly #workerFile: string;
  #worker: Worker | undefined;
  #task: string[] = [];
  #asking: Asked[] = [];
  /** Tasks under way, oldest first. The thread answers them in this order. */
  readonly #underWay: Asked[][] = [];
  #stopped = false;

  /** @param workerFile the built thread for signatures. */
  constructor(workerFile: string) {
    this.#workerFile = workerFile;
  }

  /**
   * @throws Error when the thread has ended. The node then refuses the request, and the next one starts a new thread.
   */
  readonly check: CheckSignature = (base: string, { x }: ClientKey, signature: Buffer) =>
    new Promise<boolean>((resolve, reject) => {
      if (this.#asking.length === 0) setImmediate(() => this.#askUnlessBusy());
      else if (this.#asking.length === MAX_TASK) this.#ask();
      this.#task.push(x, base, signature.toString('latin1'));
      this.#asking.push({ resolve, reject });
    });

  /** Ends the thread. Every later check is refused. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#worker?.terminate();
  }

  /** Hands the next task to the thread, unless it is busy. Its next answer then leads to the next task. */
  #askUnlessBusy(): void {
    if (this.#underWay.length > 0) return;
    if (this.#asking.length === 1 && !this.#stopped) this.#checkHere();
    else this.#ask();
  }

  /** Waking the thread costs the main thread as much as one signature, and the thread's own time comes on top. */
  #checkHere(): void {
    const [task, asking] = [this.#task, this.#asking];
    [this.#task, this.#asking] = [[], []];
    asking[0]?.resolve(checkAll(task) === GENUINE);
  }

  #ask(): void {
    const [task, asking] = [this.#task, this.#asking];
    if (asking.length === 0) return;
    [this.#task, this.#asking] = [[], []];
    if (this.#stopped) {
      refuseAll(asking);
    } else {
      this.#underWay.push(asking);
      this.#worker ??= this.#start();
      this.#worker.postMessage(task);
    }
  }

  #start(): Worker {
    const worker = new Worker(this.#workerFile, { resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 32 } });
    worker.on('message', (answer: string) => {
      const answered = this.#underWay.shift() ?? [];
      // The thread goes on while this one uses the answers.
      this.#askUnlessBusy();
      for (const [nth, { resolve }] of answered.entries()) resolve(answer[nth] === GENUINE);
    });
    // The error that ended the thread becomes the cause of the refusals. Without a listener it would end the node.
    let why: unknown;
    worker.once('error', (error) => {
      why = error;
    });
    worker.once('exit', () => {
      this.#worker = undefined;
      for (const asking of this.#underWay.splice(0)) refuseAll(asking, why);
      this.#ask();
    });
    return worker;
  }
}

function refuseAll(asking: readonly Asked[], cause?: unknown): void {
  for (const { reject } of asking) reject(new Error('the thread that checks signatures has ended', { cause }));
}
