import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { errorText, waitsForSecond } from '../../transport/error-text.ts';

interface FailureProps {
  error: Error | null;
  /** Tries it again, where nothing else on the page does. */
  onRetry?: () => void;
}

/** Says that an operation failed, until the operator tries it again. */
export function Failure({ error, onRetry }: FailureProps) {
  if (error === null) return null;
  if (waitsForSecond(error))
    return (
      <Alert color="orange" data-notice icon={<IconUsers aria-hidden />} role="status">
        {errorText(error)}
      </Alert>
    );
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {errorText(error)}
      {onRetry !== undefined && (
        <Group mt="sm">
          <Button size="xs" variant="default" onClick={onRetry}>
            {messages.common.tryAgain}
          </Button>
        </Group>
      )}
    </Alert>
  );
}
