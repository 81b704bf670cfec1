import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { Grant } from '../../src-shared/operator-contract/apps.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.apps;

/** Ends all grants and requests of an app. */
export function RevokeAll({ client }: Pick<Grant, 'client'>) {
  const [asking, { open, close }] = useDisclosure(false);
  const report = useReporting();
  const name = messages.consent.clientName(client);
  const revoke = useMutation(
    queries.apps.revokeAll.mutationOptions({
      onSuccess: async ({ ended }) => {
        close();
        await report.done(words.allRevoked({ count: ended }), 'apps', 'approvals');
      },
      onError: report.failed,
    }),
  );
  return (
    <>
      <Button variant="default" size="xs" onClick={open} aria-label={words.revokeAllOf({ client: name })}>
        {words.revokeAll}
      </Button>
      <Confirm
        opened={asking}
        onClose={close}
        title={words.revokeAllTitle}
        words={words.revokeAllWords({ client: name })}
        action={words.revokeAll}
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate({ client: client.id })}
      />
    </>
  );
}
