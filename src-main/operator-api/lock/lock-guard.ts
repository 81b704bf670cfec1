import { type Middleware, ORPCError, type ORPCErrorConstructorMap } from '@orpc/server';
import { LOCKED } from '../../../src-shared/locked-error.ts';
import type { Reader } from '../../platform/database/database.ts';
import { checked, isStream } from '../streams.ts';
import type { AppLock } from './app-lock.ts';
import { mayWhileLocked } from './lock-rules.ts';

const locked = () => new ORPCError(LOCKED.code, { status: LOCKED.status, message: LOCKED.message });

/**
 * Who calls an operation, where that matters: a script with the operator's token, or the node's host in this process.
 */
export type Caller = 'script' | 'host';

/** The part of the operations' context that the guard uses. */
interface Guarded {
  lock: AppLock;
  caller?: Caller | undefined;
  /** The device of a till. It stands at the counter, and sells while the console is locked (decisions.md#D-278). */
  till?: object | undefined;
}

/**
 * Runs before every operation on every transport. While the console is locked, it refuses each operation that needs an
 * unlocked one, before its input is read. It ends an answer that is still being streamed when the console locks.
 *
 * Only the node's host, in this process, is let through. Scripts are not, because their token lies in a file on the
 * computer that somebody has left alone. Apps and shops use the public API, which the lock does not touch
 * (decisions.md#D-58), and neither does it touch paired tills.
 */
export const lockGuard: Middleware<
  Guarded,
  Record<never, never>,
  unknown,
  unknown,
  ORPCErrorConstructorMap<Record<never, never>>,
  object
> = async ({ context, path, procedure, next }) => {
  const { lock, caller, till } = context;
  if (caller === 'host' || till !== undefined) return await next();
  await lock.look();
  if (mayWhileLocked(path)) return await next();
  if (lock.locked) throw locked();
  // A script that runs every minute does not show that somebody is at the console.
  if (caller !== 'script' && procedure['~orpc'].route.method !== 'GET') lock.noteUse();
  const result = await next();
  const refuseLocked = async () => {
    await lock.look();
    if (lock.locked) throw locked();
  };
  return isStream(result.output) ? { ...result, output: checked(result.output, refuseLocked) } : result;
};

/**
 * Asks, in the write of an operation, whether the console is still open: another replica may have locked it since the
 * operation began.
 * @returns undefined for operations that a locked console allows.
 */
export function checkInWrite({ lock, caller, till }: Guarded, path: readonly string[]): ((tx: Reader) => Promise<void>) | undefined {
  if (caller === 'host' || till !== undefined || mayWhileLocked(path)) return undefined;
  return async (tx) => {
    if (!(await lock.isOpenIn(tx))) throw locked();
  };
}
