import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { AttackedNode, Tally } from './stranger.ts';

/** What the strangers have seen. */
export interface Seen {
  /** What the node has answered each kind of stranger. */
  readonly tallies: Readonly<Record<string, Tally>>;
  /** How often the node has asked the one of their servers that it asked the most. */
  readonly mostAsked: number;
}

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
  async disperse(): Promise<Seen> {
    if (this.#process.exitCode !== null) throw new Error(`the crowd stopped with ${this.#process.exitCode}`);
    const told = once(this.#process, 'message');
    this.#process.send('stop');
    const [seen] = await told;
    this.#process.kill('SIGKILL');
    return seen as Seen;
  }

  /** Ends the strangers, whatever they are doing. */
  kill(): void {
    this.#process.kill('SIGKILL');
  }
}
