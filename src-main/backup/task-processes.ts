import { rmSync, statSync } from 'node:fs';
import { type ChildProcess, type StartChild, startChild } from '../platform/child-process.ts';
import type { describeError } from '../platform/logs/describe-error.ts';
import { refuse } from '../platform/result.ts';
import type { GuardedTask } from './task-guard.ts';
import type { BackupTask, ExportBackup, MakeBackup, OpenBackup } from './tasks.ts';
import { withWal } from './unfinished.ts';

/**
 * The most memory of a task, in bytes. A passphrase with the highest work factor needs 1 GiB of it; see passphrase.ts.
 */
const MOST_BYTES = 1792 * 1024 ** 2;
/** The most memory of an export, in bytes: twice the largest books that are exported, and what else it needs. */
const MOST_EXPORT_BYTES = 3 * 1024 ** 3;
/** How long opening any backup may take, in milliseconds. */
const OPEN_MS = 2 * 60_000;
/** How long opening may take on top of that for each MiB of the file, in milliseconds. A slow disk needs a tenth. */
const OPEN_MS_PER_MIB = 500;

interface Parts {
  /** The built file of the process. */
  file: string;
  start?: StartChild | undefined;
  /** Tests lower them. */
  limits?: { mostBytes?: number; openMs?: number };
}

/** The process ended, or was ended, before it had an answer. The log tells errors by their codes. */
class EndedEarly extends Error {
  readonly code = 'TASK_ENDED_EARLY';
}

/** How the thread describes an error that it did not expect; see describeError(). */
type Described = ReturnType<typeof describeError>;

/** An error in the process, which only its description has left. */
class TaskFailed extends Error {
  /** Its kind, its own code, and where it happened. */
  readonly code: string;
  constructor({ error, code, at }: Described) {
    super('the task failed');
    this.code = [error, code, at?.[0]].filter((part) => part !== undefined).join(' ');
  }
}

/**
 * Runs each task of backups in a process of its own. The node can answer requests in the meantime, and it can end a
 * task that a file keeps busy for ever.
 */
export class BackupProcesses {
  readonly #parts: Parts;
  readonly #running = new Map<ChildProcess, Promise<void>>();
  #stopped = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  readonly make: MakeBackup = (task) => this.#run(task, {});
  readonly export: ExportBackup = (task) => this.#run(task, {});

  /** Answers `unfit` when the limits have ended the process, and `cancelled` when the signal has. */
  readonly open: OpenBackup = async (task, signal) => {
    const openMs = this.#parts.limits?.openMs ?? OPEN_MS + (sizeOf(task.file) / 1024 ** 2) * OPEN_MS_PER_MIB;
    try {
      return await this.#run(task, { signal, openMs });
    } catch (error) {
      if (!(error instanceof EndedEarly)) throw error;
      for (const left of withWal(task.databaseFile)) rmSync(left, { force: true });
      return refuse(signal?.aborted === true ? 'cancelled' : 'unfit');
    }
  };

  /**
   * Ends the running tasks without an answer to their callers. The node may start again within this process, and an old
   * task must not write into the new node's folder.
   */
  async stop(): Promise<void> {
    this.#stopped = true;
    for (const child of this.#running.keys()) child.kill();
    await Promise.all(this.#running.values());
  }

  /** Resolves after the process is gone, so that it writes nothing any more. */
  async #run<Answer extends object>(task: BackupTask, ends: { signal?: AbortSignal | undefined; openMs?: number }): Promise<Answer> {
    if (ends.signal?.aborted === true) throw new EndedEarly();
    const { file, start = startChild, limits } = this.#parts;
    const child = start(file);
    const kill = () => child.kill();
    const tooLong = ends.openMs === undefined ? undefined : setTimeout(kill, ends.openMs);
    ends.signal?.addEventListener('abort', kill);
    let answer: Answer | { failed: Described } | undefined;
    child.onMessage((message) => {
      answer = message as Answer | { failed: Described };
      kill();
    });
    const gone = new Promise<void>((resolve) => child.onExit(resolve));
    this.#running.set(child, gone);
    child.send({ task, mostBytes: limits?.mostBytes ?? mostOf(task) } satisfies GuardedTask);
    await gone;
    clearTimeout(tooLong);
    ends.signal?.removeEventListener('abort', kill);
    this.#running.delete(child);
    if (this.#stopped) return await new Promise<never>(() => undefined);
    if (answer === undefined) throw new EndedEarly('the task ended without an answer');
    if ('failed' in answer) throw new TaskFailed(answer.failed);
    return answer;
  }
}

const mostOf = ({ kind }: BackupTask): number => (kind === 'export' ? MOST_EXPORT_BYTES : MOST_BYTES);

/** @returns 0 for a file that cannot be read; the task then says so. */
function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
