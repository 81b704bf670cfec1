import { useSyncExternalStore } from 'react';

/** A value that lives outside React and that components watch, for state of the page and not of a screen. */
export interface StateCell<T> {
  get(): T;
  set(value: T): void;
  /** Calls `listener` after each change. @returns a function that stops it */
  watch(listener: () => void): () => void;
}

export function stateCell<T>(initial: T): StateCell<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(next, value)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

export const useStateCell = <T>(cell: StateCell<T>): T => useSyncExternalStore(cell.watch, cell.get);
