import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

/** The floor as a process of its own; see floor.ts. */
export class Floor {
  readonly origin: string;
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess, origin: string) {
    this.#process = process;
    this.origin = origin;
  }

  /** @param publicKey the client's, as base64url. */
  static async start(publicKey: string): Promise<Floor> {
    const script = resolve(import.meta.dirname, 'floor.ts');
    const child = spawn(process.execPath, [script, publicKey], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [origin] = await once(createInterface({ input: child.stdout }), 'line');
    return new Floor(child, String(origin));
  }

  get pid(): number {
    return this.#process.pid ?? 0;
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, 'exit');
  }
}

const TICK_MS = 10;

/**
 * Processor time that a process has used, in milliseconds, in steps of 10. It is undefined where the system has no
 * `/proc`. Other processes hardly disturb it, unlike figures per second.
 */
export function cpuMs(pid: number): number | undefined {
  const text = readProc(pid, 'stat');
  // The second field is the program's name in parentheses, which may hold spaces.
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory of a process in MB (10^6 bytes); undefined where the system has no `/proc`. */
export function residentMb(pid: number): number | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, 'status') ?? '')?.[1];
  return kilobytes === undefined ? undefined : (Number(kilobytes) * 1024) / 1e6;
}

function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
