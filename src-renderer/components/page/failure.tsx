import { Alert } from '@mantine/core';
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react';
import { errorText, waitsForSecond } from '../../transport/error-text.ts';

/** Says that an operation failed, until the operator tries it again. */
export function Failure({ error }: { error: Error | null }) {
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
    </Alert>
  );
}
