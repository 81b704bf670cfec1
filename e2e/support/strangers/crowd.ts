import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AttackedNode, Tally } from './stranger.ts';

/** What the node has answered each kind of stranger. */
type Tallies = Readonly<Record<string, Tally>>;

/**
 * Strangers of every kind at once, at full speed. They are a process of their own, so that they do not slow down the
 * one that measures beside them.
 */
export class Crowd {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Starts the strangers. They begin at once. */
  static async gather(node: AttackedNode): Promise<Crowd> {
    const child = fork(join(import.meta.dirname, 'crowd-process.ts'), [JSON.stringify(node)], { execArgv: [] });
    await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`the crowd stopped with ${code}`))),
    ]);
    return new Crowd(child);
  }

  /**
   * Stops the strangers.
   * @throws Error when they had given up before.
   */
  async disperse(): Promise<Tallies> {
    if (this.#process.exitCode !== null) throw new Error(`the crowd stopped with ${this.#process.exitCode}`);
    const told = once(this.#process, 'message');
    this.#process.send('stop');
    const [tallies] = await told;
    this.#process.kill('SIGKILL');
    return tallies as Tallies;
  }

  /** Ends the strangers, whatever they are doing. */
  kill(): void {
    this.#process.kill('SIGKILL');
  }
}
