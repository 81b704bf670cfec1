import { Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Passkey } from '../../../src-shared/operator-contract/console/ways.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { distanceText } from '../../../src-shared/words/date-text.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';

const words = messages.ways;
/** How often “last used” is written anew, in milliseconds. */
const EVERY_MS = 30_000;

/** A passkey of the person, which they can remove. */
export function PasskeyLine({ passkey: { id, name, domain, lastUsedAt, isPaused } }: { passkey: Passkey }) {
  const now = useNodeTime(EVERY_MS);
  const [asking, setAsking] = useState(false);
  const report = useReporting();
  const removed = async () => {
    setAsking(false);
    await report.done(words.removed({ name }), 'people');
  };
  const remove = useMutation(queries.ways.removePasskey.mutationOptions({ onSuccess: removed, onError: report.failed }));
  const used = lastUsedAt === null ? words.neverUsed : words.lastUsed({ when: distanceText(lastUsedAt, now) });
  const facts = [isPaused ? words.paused : used, ...(domain === location.hostname ? [] : [words.worksAt({ domain })])];
  return (
    <li>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <div>
          <Text fw={500}>
            <bdi>{name}</bdi>
          </Text>
          <Text size="sm" c="dimmed">
            {facts.join(' · ')}
          </Text>
        </div>
        <Button size="xs" variant="default" flex="none" aria-label={words.removeNamed({ name })} onClick={() => setAsking(true)}>
          {words.remove}
        </Button>
      </Group>
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={words.removeTitle({ name })}
        words={words.removeWords}
        action={words.remove}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id })}
      />
    </li>
  );
}
