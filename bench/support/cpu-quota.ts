import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A control group of Linux, with which processes get a share of the processors, as if they ran on a small computer. */
export class CpuQuota {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Gives processes, and those that they start, so many cores together. It can be less than one.
   * @returns undefined where this user or this system can make no such group.
   */
  static of(name: string, cores: number, pids: readonly number[]): CpuQuota | undefined {
    const quota = String(Math.round(cores * PERIOD_US));
    for (const { folder, settings } of places(quota)) {
      const group = new CpuQuota(join(folder, `paydesk-${name}`));
      try {
        mkdirSync(group.#folder, { recursive: true });
        for (const [file, text] of Object.entries(settings)) writeFileSync(join(group.#folder, file), text);
        for (const pid of pids) writeFileSync(join(group.#folder, 'cgroup.procs'), String(pid));
        return group;
      } catch {
        group.end();
      }
    }
    return undefined;
  }

  /** Removes the group. Its processes must have ended. */
  end(): void {
    try {
      rmdirSync(this.#folder);
    } catch {
      // Nobody could make it, or the system removes it with the last process.
    }
  }
}

/** How often the system grants the quota anew, in microseconds. It is short, so that answers wait little. */
const PERIOD_US = 20_000;

/** A folder in which groups are made, and the settings that a group gets. */
interface Place {
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
}

/** Where this system has groups of processor time: by the second version of the interface, or by the first. */
function places(quota: string): Place[] {
  const [root, first] = ['/sys/fs/cgroup', '/sys/fs/cgroup/cpu'];
  const controllers = join(root, 'cgroup.controllers');
  const hasSecond = existsSync(controllers) && readFileSync(controllers, 'utf8').split(/\s/).includes('cpu');
  return [
    ...(hasSecond ? [{ folder: root, settings: { 'cpu.max': `${quota} ${PERIOD_US}` } }] : []),
    ...(existsSync(first) ? [{ folder: first, settings: { 'cpu.cfs_period_us': String(PERIOD_US), 'cpu.cfs_quota_us': quota } }] : []),
  ];
}
