import type { Database } from '../database.ts';

/** Lets a database say that it takes no more writes; it takes them all the same. @returns what ends that. */
export function pretendStopped(database: Database, reason: Error): () => void {
  const own = Object.getOwnPropertyDescriptor(database, 'stopped');
  Object.defineProperty(database, 'stopped', { value: reason, configurable: true });
  return () => {
    if (own === undefined) Reflect.deleteProperty(database, 'stopped');
    else Object.defineProperty(database, 'stopped', own);
  };
}
