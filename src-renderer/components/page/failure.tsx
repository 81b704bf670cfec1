import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { errorText } from '../../transport/error-text.ts';

/** Says that an operation failed, until the operator tries it again. */
export function Failure({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {errorText(error)}
    </Alert>
  );
}
