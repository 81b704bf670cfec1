import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WaitingAct } from '../../../src-shared/operator-contract/console/second-person.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { whenText } from '../../../src-shared/words/date-text.ts';
import { hostAndPath, inertText } from '../../../src-shared/words/inert-text.ts';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useMayCall } from '../../transport/you.ts';
import { Confirm } from '../forms/confirm.tsx';
import { Card } from '../page/card.tsx';
import { Facts } from '../text/facts.tsx';
import classes from './waiting-acts.module.css';

const { people } = messages;
const words = people.wait;

/**
 * The acts that wait for a second person: all of them, those about one payment or grant request, or one by its id. It
 * shows nothing while nothing waits.
 */
export function WaitingActs({ subject, id }: { subject?: string; id?: string }) {
  const waiting = useQuery(queries.waiting.list.queryOptions());
  const isMeant = (act: WaitingAct) => (subject ?? act.subject) === act.subject && (id ?? act.id) === act.id;
  const acts = waiting.data?.items.filter(isMeant) ?? [];
  if (acts.length === 0) return null;
  return (
    <Card title={words.title} accent>
      <ul className={classes.acts} aria-label={words.title}>
        {acts.map((act) => (
          <Act key={act.id} act={act} />
        ))}
      </ul>
    </Card>
  );
}

/** What the acts that wait for a second person are about: payments, grant requests and grants by their ids. */
export function useWaitingSubjects(): ReadonlySet<string> {
  const { data } = useQuery({ ...queries.waiting.list.queryOptions(), enabled: useMayCall('waiting.list') });
  return new Set(data?.items.flatMap(({ subject }) => subject ?? []));
}

/** The effect of an act, in a few words. */
const waitingText = ({ operation, amount, whom, what }: WaitingAct): string =>
  people.actText({
    operation,
    amount: amount === null ? undefined : amountText(amount),
    currency: whom ?? '',
    whom: whom ?? '',
    what: what ?? undefined,
  });

function Act({ act }: { act: WaitingAct }) {
  const [asking, setAsking] = useState<'confirm' | 'refuse' | 'withdraw'>();
  const now = useNodeTime(30_000);
  const report = useReporting();
  const close = () => setAsking(undefined);
  const done = (said: string) => async () => {
    close();
    await report.done(said, 'waiting', 'payments', 'accounts', 'approvals', 'settings');
  };
  const how = (said: string) => ({ onSuccess: done(said), onError: report.failed });
  const confirm = useMutation(queries.waiting.confirm.mutationOptions(how(words.done)));
  const refuse = useMutation(queries.waiting.refuse.mutationOptions(how(words.refused)));
  const withdraw = useMutation(queries.waiting.withdraw.mutationOptions(how(words.withdrawn)));
  const { id, hash, by, createdAt, expiresAt, isYours, mayDecide } = act;
  const name = inertText(by.name === '' ? people.unnamed : by.name);
  const facts = { when: whenText(createdAt, now), until: whenText(expiresAt, now) };
  const what = waitingText(act);
  return (
    <li>
      <Group justify="space-between" gap="sm">
        <div className={classes.said}>
          <Text fw={550}>{what}</Text>
          <Text size="sm" c="dimmed">
            {isYours ? words.yours(facts) : words.asked({ name, ...facts })}
          </Text>
        </div>
        <Group gap="xs">
          {mayDecide && (
            <>
              <Button size="xs" aria-label={`${words.confirm}: ${what}`} onClick={() => setAsking('confirm')}>
                {words.confirm}
              </Button>
              <Button size="xs" variant="default" aria-label={`${words.refuse}: ${what}`} onClick={() => setAsking('refuse')}>
                {words.refuse}
              </Button>
            </>
          )}
          {isYours && (
            <Button size="xs" variant="default" aria-label={`${words.withdraw}: ${what}`} onClick={() => setAsking('withdraw')}>
              {words.withdraw}
            </Button>
          )}
        </Group>
      </Group>
      <Confirm
        opened={asking === 'confirm'}
        onClose={close}
        title={words.confirmTitle({ name })}
        words={words.confirmWords}
        action={words.confirm}
        busy={confirm.isPending}
        error={confirm.error}
        onConfirm={() => confirm.mutate({ id, hash })}
      >
        <Exactly act={act} />
      </Confirm>
      <Confirm
        opened={asking === 'refuse' || asking === 'withdraw'}
        onClose={close}
        title={asking === 'withdraw' ? words.withdraw : words.refuse}
        words={what}
        action={asking === 'withdraw' ? words.withdraw : words.refuse}
        busy={refuse.isPending || withdraw.isPending}
        error={refuse.error ?? withdraw.error}
        onConfirm={() => (asking === 'withdraw' ? withdraw : refuse).mutate({ id })}
      />
    </li>
  );
}

/** The whole effect of a confirmation. */
function Exactly({ act }: { act: WaitingAct }) {
  const { operation, accountName, amount, receiveAmount, whom, note } = act;
  const isSetting = operation === 'secondPerson.set';
  return (
    <Stack gap="xs">
      <Text fw={550}>{waitingText(act)}</Text>
      {!isSetting && (
        <Facts
          facts={[
            [words.fact.from, accountName === null ? undefined : inertText(accountName)],
            [words.fact.leaves, amount === null ? undefined : amountText(amount)],
            [words.fact.arrives, receiveAmount === null ? undefined : amountText(receiveAmount)],
            [words.fact.to, whom === null ? undefined : hostAndPath(whom)],
            [words.fact.note, note === null ? undefined : inertText(note)],
          ]}
        />
      )}
    </Stack>
  );
}
