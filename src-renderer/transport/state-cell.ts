import { useSyncExternalStore } from 'react';

/** One value that lives outside React and is watched by components: for state that belongs to the page, not to a screen. */
export interface StateCell<T> {
  get(): T;
  set(value: T): void;
  /** Calls `listener` after each change; returns the way to stop it. */
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
