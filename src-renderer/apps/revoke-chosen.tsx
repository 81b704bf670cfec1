import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.apps;

/** Ends the chosen permissions at once, after a question. */
export function RevokeChosen({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const [asking, { open, close }] = useDisclosure(false);
  const report = useReporting();
  const revoke = useMutation(
    queries.apps.revokeSeveral.mutationOptions({
      onSuccess: async ({ ended }) => {
        onDone();
        await report.done(words.allRevoked({ count: ended }), 'apps', 'approvals');
      },
      onError: report.failed,
    }),
  );
  return (
    <Group>
      <Button variant="default" onClick={open}>
        {words.revokeChosen({ count: ids.length })}
      </Button>
      <Confirm
        opened={asking}
        onClose={close}
        title={words.revokeChosenTitle({ count: ids.length })}
        words={words.revokeChosenWords}
        action={words.revokeChosen({ count: ids.length })}
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate({ ids: [...ids] })}
      />
    </Group>
  );
}
