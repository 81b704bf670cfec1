import type { Core } from '../platform/core.ts';
import { sweepReceived } from './received-packets.ts';

const EVERY_MS = 60 * 60_000;

type Parts = Pick<Core, 'database' | 'clock' | 'log'>;

/** Deletes, every hour, the answers to packets that nobody can repeat any more (decisions.md#D-49). */
export class ReceivedPacketsSweeper {
  readonly #parts: Parts;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#timer = setInterval(() => this.#begin(), EVERY_MS);
    this.#begin();
  }

  /** Stops the sweeper. It resolves once nothing is written any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#sweeping;
  }

  #begin(): void {
    this.#sweeping = this.#sweeping
      .then(() => this.#sweep())
      .catch((error: unknown) => this.#parts.log.error({ err: error }, 'old answers to packets could not be put away'));
  }

  async #sweep(): Promise<void> {
    const { database, clock } = this.#parts;
    while (!this.#isStopped && (await sweepReceived(database, clock.now())));
  }
}
