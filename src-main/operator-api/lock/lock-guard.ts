import { type Middleware, ORPCError, type ORPCErrorConstructorMap } from '@orpc/server';
import { LOCKED } from '../../../src-shared/locked-error.ts';
import type { AppLock } from './app-lock.ts';
import { mayWhileLocked } from './lock-rules.ts';

const locked = () => new ORPCError(LOCKED.code, { status: LOCKED.status, message: LOCKED.message });

/** Who calls an operation, where that makes a difference: a script with the operator's token, or the host of the node in this process. */
export type Caller = 'script' | 'host';

/** What the guard looks at of everything that operations work with. */
export interface Guarded {
  lock: AppLock;
  caller?: Caller | undefined;
}

/**
 * In front of every operation, whichever way it is called: refuses what needs an unlocked console while it is locked, before its input is looked at, and
 * ends an answer that is still being given when it locks. Only the host of the node, in this process, is let through.
 *
 * Scripts are not: the token they come with lies in a file on the very computer that somebody has left alone. What tills and shops do all day goes
 * through the public API, which the lock does not touch.
 */
export const lockGuard: Middleware<
  Guarded,
  Record<never, never>,
  unknown,
  unknown,
  ORPCErrorConstructorMap<Record<never, never>>,
  object
> = async ({ context, path, procedure, next }) => {
  const { lock, caller } = context;
  if (caller === 'host') return await next();
  await lock.load();
  if (mayWhileLocked(path)) return await next();
  if (lock.locked) throw locked();
  // A script that runs every minute is nobody at the console.
  if (caller !== 'script' && procedure['~orpc'].route.method !== 'GET') lock.noteUse();
  const result = await next();
  return isStream(result.output) ? { ...result, output: untilLocked(result.output, lock) } : result;
};

const isStream = (output: unknown): output is AsyncIterable<unknown> =>
  typeof output === 'object' && output !== null && Symbol.asyncIterator in output;

async function* untilLocked(values: AsyncIterable<unknown>, lock: AppLock): AsyncGenerator<unknown> {
  for await (const value of values) {
    if (lock.locked) throw locked();
    yield value;
  }
}
