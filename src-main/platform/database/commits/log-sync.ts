import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFolder } from '../../disk/durable-names.ts';

/**
 * Brings SQLite's log to the disk, in a thread of the system. With `synchronous = NORMAL` SQLite writes a commit into
 * the log and leaves it to the system when it reaches the disk (https://sqlite.org/pragma.html#pragma_synchronous).
 */
export class LogSync {
  readonly #file: string;
  #log: Promise<FileHandle> | undefined;

  constructor(databaseFile: string) {
    this.#file = `${databaseFile}-wal`;
  }

  /**
   * Resolves when everything that is in the log at the time of the call is on the disk.
   * @throws Error when the disk fails. What the log holds may then be lost, and no later call can repair that.
   */
  async sync(): Promise<void> {
    this.#log ??= this.#open();
    await (await this.#log).datasync();
  }

  async close(): Promise<void> {
    await (await this.#log)?.close();
  }

  /** The log exists from the first commit on until the last connection is closed, and stays the same file. */
  async #open(): Promise<FileHandle> {
    // Windows lets only those sync who may write.
    const log = await open(this.#file, 'r+');
    syncFolder(dirname(this.#file));
    return log;
  }
}
