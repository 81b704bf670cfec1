import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey } from '../../../src-shared/operator-contract/console/api-keys.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText, distanceText } from '../../../src-shared/words/date-text.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import classes from './api-keys.module.css';
import { KeyValue } from './key-value.tsx';
import { KeyWords } from './key-words.tsx';

const words = messages.apiKeys;
/** How often “last used” is written anew, in milliseconds. */
const EVERY_MS = 30_000;

/** A key of the shop's software, with what can be done about it. */
export function ApiKeyLine({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, role } = apiKey;
  const [asking, setAsking] = useState<'rotate' | 'revoke' | 'allow'>();
  const report = useReporting();
  const close = () => setAsking(undefined);
  const onError = report.failed;
  const rotated = async () => {
    close();
    await report.changed('sessions');
  };
  const revoked = async () => {
    close();
    await report.done(words.revoked({ name }), 'sessions');
  };
  const rotate = useMutation(queries.apiKeys.rotate.mutationOptions({ onSuccess: rotated, onError }));
  const allowed = async () => {
    close();
    await report.done(words.allowedAgain({ name }), 'sessions');
  };
  const allow = useMutation(queries.apiKeys.allowAgain.mutationOptions({ onSuccess: allowed, onError }));
  const revoke = useMutation(queries.apiKeys.revoke.mutationOptions({ onSuccess: revoked, onError }));
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div className={classes.said}>
          <Group gap="xs">
            <Text fw={500}>
              <bdi>{name}</bdi>
            </Text>
            <Badge variant="light" tt="none">
              {messages.people.roles[role]}
            </Badge>
          </Group>
          <Text size="sm">
            <KeyWords {...apiKey} />
          </Text>
          <Times apiKey={apiKey} />
        </div>
        <Group gap="xs" wrap="nowrap">
          {apiKey.isPaused && (
            <Button size="xs" variant="default" aria-label={words.allowAgainNamed({ name })} onClick={() => setAsking('allow')}>
              {words.allowAgain}
            </Button>
          )}
          <Button size="xs" variant="default" aria-label={words.rotateNamed({ name })} onClick={() => setAsking('rotate')}>
            {words.rotate}
          </Button>
          <Button size="xs" variant="default" aria-label={words.revokeNamed({ name })} onClick={() => setAsking('revoke')}>
            {words.revoke}
          </Button>
        </Group>
      </Group>
      <Confirm
        opened={asking === 'allow'}
        onClose={close}
        title={words.allowAgainTitle({ name })}
        words={words.allowAgainWords}
        action={words.allowAgain}
        busy={allow.isPending}
        error={allow.error}
        onConfirm={() => allow.mutate({ id })}
      />
      <Confirm
        opened={asking === 'rotate'}
        onClose={close}
        title={words.rotateTitle({ name })}
        words={words.rotateWords}
        action={words.rotate}
        busy={rotate.isPending}
        error={rotate.error}
        onConfirm={() => rotate.mutate({ id })}
      />
      <Confirm
        opened={asking === 'revoke'}
        onClose={close}
        title={words.revokeTitle({ name })}
        words={words.revokeWords}
        action={words.revoke}
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate({ id })}
      />
      {rotate.data !== undefined && <KeyValue name={name} value={rotate.data.value} onClose={rotate.reset} />}
    </li>
  );
}

function Times({ apiKey: { expiresAt, lastUsedAt, formerEndsAt, isPaused } }: { apiKey: ApiKey }) {
  const now = useNodeTime(EVERY_MS);
  const end = expiresAt === null ? undefined : { date: dateTimeText(expiresAt) };
  const facts = [
    isPaused ? words.paused : undefined,
    lastUsedAt === null ? words.unused : words.used({ ago: distanceText(lastUsedAt, now) }),
    end && (expiresAt !== null && expiresAt <= now ? words.ended(end) : words.endsOn(end)),
    formerEndsAt !== null && formerEndsAt > now ? words.formerUntil({ date: dateTimeText(formerEndsAt) }) : undefined,
  ];
  return (
    <Text size="sm" c="dimmed">
      {facts.filter((fact) => fact !== undefined).join(' · ')}
    </Text>
  );
}
