import { Alert, Button, Center, Loader, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Missing } from '../components/page/missing.tsx';

const { failed, loading, tryAgain } = messages.common;

/** Says that a screen has failed. The other screens still work. */
export function RouteFailed({ reset }: ErrorComponentProps) {
  const router = useRouter();
  const again = () => {
    reset();
    void router.invalidate();
  };
  return (
    <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={failed.crashed} role="alert">
      <Stack align="flex-start" gap="sm">
        {failed.crashedAdvice}
        <Button variant="default" size="xs" onClick={again}>
          {tryAgain}
        </Button>
      </Stack>
    </Alert>
  );
}

export function RoutePending() {
  return (
    <Center mih="40dvh">
      <Loader role="status" aria-label={loading} />
    </Center>
  );
}

export function NotFound() {
  return (
    <main>
      <Missing />
    </main>
  );
}
