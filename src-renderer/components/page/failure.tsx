import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { errorText } from '../../transport/error-text.ts';

/** A failed operation, said in place until it is tried again. */
export function Failure({ error }: { error: Error | null }) {
  if (error === null) return null;
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} role="alert">
      {errorText(error)}
    </Alert>
  );
}
