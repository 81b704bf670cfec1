import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewPairing, PairedTill } from '../../../src-shared/operator-contract/console/tills.ts';
import { namesOfBrowser } from '../../../src-shared/words/console/browser-name.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { distanceText } from '../../../src-shared/words/date-text.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { InertText } from '../../components/text/inert-text.tsx';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { TillDialog } from './till-dialog.tsx';

const words = messages.tills;
/** How often “last used” is written anew, in milliseconds. */
const EVERY_MS = 30_000;

/** A till, with what can be done about it. */
export function TillLine({ till, onPairing }: { till: PairedTill; onPairing: (pairing: NewPairing) => void }) {
  const { id, name, state } = till;
  const [asking, setAsking] = useState<'change' | 'pair' | 'remove'>();
  const close = () => setAsking(undefined);
  const acts = useActs(name, close, onPairing);
  const button = (label: string, named: string, onClick: () => void, loading = false) => (
    <Button size="xs" variant="default" aria-label={named} onClick={onClick} loading={loading}>
      {label}
    </Button>
  );
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div>
          <Group gap="xs">
            <Text fw={500}>
              <InertText text={name} expands={false} />
            </Text>
            {state !== 'waiting' && (
              <Badge variant={state === 'paused' ? 'default' : 'light'} tt="none">
                {state === 'paused' ? words.pausedState : words.active}
              </Badge>
            )}
          </Group>
          <Standing till={till} />
        </div>
        <Group gap="xs">
          {state === 'active' && button(words.pause, words.pauseNamed({ name }), () => acts.pause.mutate({ id }), acts.pause.isPending)}
          {state === 'paused' && button(words.goOn, words.goOnNamed({ name }), () => acts.goOn.mutate({ id }), acts.goOn.isPending)}
          {button(words.pairAnew, words.pairAnewNamed({ name }), () => setAsking('pair'))}
          {button(words.change, words.changeNamed({ name }), () => setAsking('change'))}
          {button(words.remove, words.removeNamed({ name }), () => setAsking('remove'))}
        </Group>
      </Group>
      {asking === 'change' && <TillDialog till={till} onClose={close} />}
      <Confirm
        opened={asking === 'pair'}
        onClose={close}
        title={words.pairAnewTitle({ name })}
        words={words.pairAnewWords}
        action={words.pairAnew}
        busy={acts.pairAnew.isPending}
        error={acts.pairAnew.error}
        onConfirm={() => acts.pairAnew.mutate({ id })}
      />
      <Confirm
        opened={asking === 'remove'}
        onClose={close}
        title={words.removeTitle({ name })}
        words={words.removeWords}
        action={words.remove}
        danger
        busy={acts.remove.isPending}
        error={acts.remove.error}
        onConfirm={() => acts.remove.mutate({ id })}
      />
    </li>
  );
}

function useActs(name: string, close: () => void, onPairing: (pairing: NewPairing) => void) {
  const report = useReporting();
  const onError = report.failed;
  const done = (said: string) => async () => {
    close();
    await report.done(said, 'tills');
  };
  const pairing = async (made: NewPairing) => {
    close();
    onPairing(made);
    await report.changed('tills');
  };
  return {
    pause: useMutation(queries.tills.pause.mutationOptions({ onSuccess: done(words.paused({ name })), onError })),
    goOn: useMutation(queries.tills.goOn.mutationOptions({ onSuccess: done(words.wentOn({ name })), onError })),
    remove: useMutation(queries.tills.remove.mutationOptions({ onSuccess: done(words.removed({ name })), onError })),
    pairAnew: useMutation(queries.tills.pairAnew.mutationOptions({ onSuccess: pairing, onError })),
  };
}

/** Tells where a till sells, on what, and when it was used last; or that it waits for a device. */
function Standing({ till: { state, account, linkEndsAt, lastUsedAt, userAgent } }: { till: PairedTill }) {
  const now = useNodeTime(EVERY_MS);
  const waits = linkEndsAt !== null && linkEndsAt > now;
  const facts = [
    state === 'waiting' ? (waits ? words.waiting : words.lapsed) : undefined,
    userAgent === null ? undefined : messages.lock.browsers.name(namesOfBrowser(userAgent)),
    lastUsedAt === null ? undefined : words.used({ ago: distanceText(lastUsedAt, now) }),
    account === null ? undefined : words.into({ account: account.publicName }),
  ];
  return (
    <Text size="sm" c="dimmed">
      <InertText text={facts.filter((fact) => fact !== undefined).join(' · ')} expands={false} />
    </Text>
  );
}
