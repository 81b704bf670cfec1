import { Down, running } from './lives.ts';

/**
 * Everything that goes on without anybody waiting for it: people, operators, packets on the line, nodes that start. An
 * act that meets a crash ends there, because a dead process has no errors. Any other failure is a problem of the run.
 * While the acts are guarded, a rejection that nobody handles comes here, too, so that none can end the run.
 */
export class Acts {
  readonly #problems: string[] = [];

  /** What has failed for another reason than a crash. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /** Begins an act. */
  begin(act: () => Promise<unknown>): void {
    const going = async (): Promise<void> => {
      try {
        await act();
      } catch (error) {
        this.note(error);
      }
    };
    void going();
  }

  /** Notes an error, unless it comes of a crash. */
  note(error: unknown): void {
    if (error instanceof Down || running.getStore()?.alive === false) return;
    this.#problems.push(`an act broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }

  /** Takes every rejection that nobody handles. @returns a function that gives them back to those who had them. */
  guard(): () => void {
    const others = process.listeners('unhandledRejection');
    const take = (error: unknown): void => this.note(error);
    process.removeAllListeners('unhandledRejection');
    process.on('unhandledRejection', take);
    return () => {
      process.off('unhandledRejection', take);
      for (const other of others) process.on('unhandledRejection', other);
    };
  }
}
