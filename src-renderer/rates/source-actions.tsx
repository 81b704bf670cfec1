import { Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { RateSource } from '../../src-shared/operator-contract/exchange/rate-sources.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.rateSources;

/** What the operator can do with a source. Whatever changes which rate counts is confirmed first. */
export function SourceActions({ source, isFirst }: { source: RateSource; isFirst: boolean }) {
  const { id, name, isOn } = source;
  const [asking, setAsking] = useState<'prefer' | 'switch' | 'remove'>();
  const report = useReporting();
  const done = (text: string) => ({
    onSuccess: async () => {
      setAsking(undefined);
      await report.done(text, 'rates');
    },
  });
  const quiet = (text: string) => ({ ...done(text), onError: report.failed });
  const look = useMutation(queries.rateSources.look.mutationOptions(quiet(words.read({ name }))));
  const turn = useMutation(queries.rateSources.switch.mutationOptions(done(words.switched({ name, isOn: !isOn }))));
  const prefer = useMutation(queries.rateSources.prefer.mutationOptions(done(words.preferred({ name }))));
  const remove = useMutation(queries.rateSources.remove.mutationOptions(done(words.removed({ name }))));
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" aria-label={words.lookOf({ name })} loading={look.isPending} onClick={() => look.mutate({ id })}>
        {words.look}
      </Button>
      {!isFirst && (
        <Button size="xs" variant="default" aria-label={words.preferOf({ name })} onClick={() => setAsking('prefer')}>
          {words.prefer}
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={isOn ? words.switchOffOf({ name }) : words.switchOnOf({ name })}
        onClick={() => setAsking('switch')}
      >
        {isOn ? words.switchOff : words.switchOnAgain}
      </Button>
      <Button size="xs" variant="subtle" color="red" aria-label={words.removeOf({ name })} onClick={() => setAsking('remove')}>
        {words.remove}
      </Button>
      <Confirm
        opened={asking === 'prefer'}
        onClose={() => setAsking(undefined)}
        title={words.preferTitle({ name })}
        words={words.preferWords}
        action={words.prefer}
        busy={prefer.isPending}
        error={prefer.error}
        onConfirm={() => prefer.mutate({ id })}
      />
      <Confirm
        opened={asking === 'switch'}
        onClose={() => setAsking(undefined)}
        title={isOn ? words.switchOffTitle({ name }) : words.switchOnTitle({ name })}
        words={isOn ? words.switchOffWords : words.preferWords}
        action={isOn ? words.switchOff : words.switchOnAgain}
        busy={turn.isPending}
        error={turn.error}
        onConfirm={() => turn.mutate({ id, isOn: !isOn })}
      />
      <Confirm
        opened={asking === 'remove'}
        onClose={() => setAsking(undefined)}
        title={words.removeTitle({ name })}
        words={words.removeWords}
        action={words.remove}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id })}
      />
    </Group>
  );
}
