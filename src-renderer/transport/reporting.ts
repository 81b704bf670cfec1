import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { Topic } from '../../src-shared/operator-contract/node.ts';
import { errorText } from './error-text.ts';
import { keysOf } from './query-keys.ts';

/** Tells how an operation ended. Failures are also shown where they happened: a notification goes away. */
export function useReporting(): {
  done: (words: string, ...topics: Topic[]) => Promise<void>;
  /** Reads again what shows its own end. */
  changed: (...topics: Topic[]) => Promise<void>;
  failed: (error: Error) => void;
} {
  const queryClient = useQueryClient();
  const changed = async (...topics: Topic[]) => {
    await Promise.all(keysOf(topics).map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
  return {
    done: (words, ...topics) => {
      notifications.show({ message: words, color: 'pine' });
      return changed(...topics);
    },
    changed,
    failed: (error) => {
      notifications.show({ message: errorText(error), color: 'red', autoClose: 10_000 });
    },
  };
}
