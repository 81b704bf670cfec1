import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';

const words = messages.people;

/** Takes the PIN of a person away. */
export function RemovePin({ id, name }: { id: string; name: string }) {
  const [asking, setAsking] = useState(false);
  const report = useReporting();
  const onSuccess = async () => {
    setAsking(false);
    await report.done(words.pinRemoved({ name }), 'people');
  };
  const remove = useMutation(queries.people.removePin.mutationOptions({ onSuccess, onError: report.failed }));
  return (
    <>
      <Button size="xs" variant="default" aria-label={words.removePinNamed({ name })} onClick={() => setAsking(true)}>
        {words.removePin}
      </Button>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.removePinTitle({ name })}
        words={words.removePinWords({ name })}
        action={words.removePin}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id })}
      />
    </>
  );
}
