import type { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type { Logger } from './logs/logger.ts';

/** How many files and connections a node has open when it has much to do. Half of them are those of its listener. */
export const FILES_NEEDED = 4_000;

/**
 * How many files and connections this process may have open at a time. Node has raised the limit at its start as far as
 * it may. It is undefined where the system sets no limit, as on Windows, or does not tell it.
 */
export function openFilesLimit(): number | undefined {
  try {
    const told = process.platform === 'linux' ? limitOfLinux() : reportedLimit();
    const limit = Number(told);
    return Number.isSafeInteger(limit) && limit > 0 ? limit : undefined;
  } catch {
    return undefined;
  }
}

const limitOfLinux = (): string | undefined => /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];

/** What Node's own report says on a system without `/proc`. Electron has no such report. */
function reportedLimit(): unknown {
  if (process.versions.electron !== undefined) return undefined;
  // The report would look up the names of everybody who is connected.
  Object.assign(process.report, { excludeNetwork: true });
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
  return userLimits?.open_files?.soft;
}

const TELL_AGAIN_MS = 60_000;

/**
 * Lets a listener go on when the system cannot give it the next connection, for example because the whole computer has
 * too many files open. Without this, that would end the node. The log tells it at most once a minute.
 */
export function outliveRefusals(server: EventEmitter, log: Pick<Logger, 'warn'>): void {
  let toldAt = Number.NEGATIVE_INFINITY;
  // An error before that says why the listener cannot be opened, and belongs to whoever opens it.
  server.once('listening', () => {
    server.on('error', (error) => {
      if (performance.now() - toldAt < TELL_AGAIN_MS) return;
      toldAt = performance.now();
      log.warn({ err: error }, 'the system could not give the node a connection');
    });
  });
}
