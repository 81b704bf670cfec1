import type { Database } from '../database.ts';

/** Lets a database say that it takes no more writes; it takes them all the same. @returns what ends that. */
export function pretendStopped(database: Database, reason: Error): () => void {
  const undo = (['stopped', 'notStored'] as const).map((name) => {
    const own = Object.getOwnPropertyDescriptor(database, name);
    Object.defineProperty(database, name, { value: reason, configurable: true });
    return () => {
      if (own === undefined) Reflect.deleteProperty(database, name);
      else Object.defineProperty(database, name, own);
    };
  });
  return () => {
    for (const one of undo) one();
  };
}
