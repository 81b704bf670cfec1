import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { Topic } from '../../src-shared/operator-contract/node.ts';
import { errorText, waitsForSecond } from './error-text.ts';
import { readTopicsAgain } from './read-again.ts';

/**
 * Tells the operator how an operation ended. A failure is also shown where it happened, because a notification goes
 * away.
 */
export function useReporting(): {
  done: (words: string, ...topics: Topic[]) => Promise<void>;
  /** Reads the topics again. The screen itself shows that the operation is done. */
  changed: (...topics: Topic[]) => Promise<void>;
  failed: (error: Error) => void;
} {
  const queryClient = useQueryClient();
  const changed = async (...topics: Topic[]) => {
    await readTopicsAgain(queryClient, topics);
  };
  return {
    done: (words, ...topics) => {
      notifications.show({ message: words, color: 'pine' });
      return changed(...topics);
    },
    changed,
    failed: (error) => {
      if (waitsForSecond(error)) {
        notifications.show({ message: errorText(error), color: 'pine', autoClose: 10_000 });
        return void changed('waiting');
      }
      notifications.show({ message: errorText(error), color: 'red', autoClose: 10_000 });
    },
  };
}
