import { Badge, Button, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Person } from '../../../src-shared/operator-contract/console/people.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { whenText } from '../../../src-shared/words/date-text.ts';
import { Confirm } from '../../components/forms/confirm.tsx';
import { Allowed } from '../../components/page/allowed.tsx';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { nameOf } from './person-name.ts';
import { RemovePin } from './remove-pin.tsx';
import { SignInLink } from './sign-in-link.tsx';

const words = messages.people;

/** A person, with what can be done about them. */
export function PersonLine({ person }: { person: Person }) {
  const { id, role, isYou } = person;
  const name = nameOf(person);
  const [asking, setAsking] = useState<'change' | 'remove' | 'allow'>();
  const report = useReporting();
  const close = () => setAsking(undefined);
  const removed = async () => {
    close();
    await report.done(words.removed({ name }), 'people');
  };
  const linked = () => report.changed('people');
  const link = useMutation(queries.people.makeLink.mutationOptions({ onSuccess: linked, onError: report.failed }));
  const allowed = async () => {
    close();
    await report.done(words.allowedAgain({ name }), 'people');
  };
  const allow = useMutation(queries.people.allowAgain.mutationOptions({ onSuccess: allowed, onError: report.failed }));
  const remove = useMutation(queries.people.remove.mutationOptions({ onSuccess: removed, onError: report.failed }));
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div>
          <Group gap="xs">
            <Text fw={500}>
              <bdi>{name}</bdi>
            </Text>
            <Badge variant="light" tt="none">
              {words.roles[role]}
            </Badge>
            {isYou && name !== words.you && (
              <Badge variant="default" tt="none">
                {words.you}
              </Badge>
            )}
          </Group>
          <Standing person={person} />
        </div>
        <Allowed to="people.change">
          <Group gap="xs">
            {/* The first owner gets in with a console link. */}
            {id !== 'owner' && (
              <Button
                size="xs"
                variant="default"
                aria-label={words.newLinkNamed({ name })}
                onClick={() => link.mutate({ id })}
                loading={link.isPending}
              >
                {words.newLink}
              </Button>
            )}
            {person.isPaused && (
              <Button size="xs" variant="default" aria-label={words.allowAgainNamed({ name })} onClick={() => setAsking('allow')}>
                {words.allowAgain}
              </Button>
            )}
            <Button size="xs" variant="default" aria-label={words.changeNamed({ name })} onClick={() => setAsking('change')}>
              {words.change}
            </Button>
            {person.hasPin && !isYou && <RemovePin id={id} name={name} />}
            {!isYou && (
              <Button size="xs" variant="default" aria-label={words.removeNamed({ name })} onClick={() => setAsking('remove')}>
                {words.remove}
              </Button>
            )}
          </Group>
        </Allowed>
      </Group>
      {asking === 'change' && <ChangeDialog person={person} onClose={close} />}
      <Confirm
        opened={asking === 'allow'}
        onClose={close}
        title={words.allowAgainTitle({ name })}
        words={words.allowAgainWords({ name })}
        action={words.allowAgain}
        busy={allow.isPending}
        error={allow.error}
        onConfirm={() => allow.mutate({ id })}
      />
      <Confirm
        opened={asking === 'remove'}
        onClose={close}
        title={words.removeTitle({ name })}
        words={words.removeWords({ name })}
        action={words.remove}
        danger
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id })}
      />
      {link.data !== undefined && <SignInLink link={link.data} onClose={link.reset} />}
    </li>
  );
}

/** Whether the person can sign in, and where they are signed in. */
function Standing({ person: { state, linkEndsAt, sessions, isPaused, hasPin } }: { person: Person }) {
  const now = useNodeTime(30_000);
  const when = linkEndsAt === null ? undefined : whenText(linkEndsAt, now);
  const facts =
    state === 'invited'
      ? [when === undefined ? words.lapsed : words.invited({ when })]
      : [words.sessions({ count: sessions }), when === undefined ? undefined : words.waiting({ when }), hasPin ? words.hasPin : undefined];
  return (
    <Text size="sm" c="dimmed">
      {[isPaused ? words.paused : undefined, ...facts].filter((fact) => fact !== undefined).join(' · ')}
    </Text>
  );
}
