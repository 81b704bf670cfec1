import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { errorText, namesNothing } from '../../transport/error-text.ts';
import { Missing } from './missing.tsx';

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T, Error>, 'data' | 'error'> & { refetch: () => Promise<unknown> };
  /** What is shown until the first answer, in the size of the later content. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * Shows what a query found. When a second reading fails, the old data stays, and the banner reports the lost
 * connection.
 */
export function Loaded<T>({ query, skeleton, children }: LoadedProps<T>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error === null) {
    return (
      <div role="status" aria-label={messages.common.loading}>
        {skeleton}
      </div>
    );
  }
  return <LoadFailed error={query.error} onRetry={() => void query.refetch()} />;
}

export function LoadFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (namesNothing(error)) return <Missing />;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={messages.common.failed.title} role="alert">
      {errorText(error, messages.errors.notLoaded)}
      <Group mt="sm">
        <Button size="xs" variant="default" onClick={onRetry}>
          {messages.common.tryAgain}
        </Button>
      </Group>
    </Alert>
  );
}
