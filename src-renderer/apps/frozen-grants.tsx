import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Grant } from '../../src-shared/operator-contract/apps.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { Card } from '../components/page/card.tsx';
import { AnchorLink } from '../components/page/links.tsx';
import { useWaitingSubjects } from '../components/second-person/waiting-acts.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { useMayCall } from '../transport/you.ts';

const words = messages.apps;

/** Shows the permissions that are frozen since a restore, and allows several of them again at once. */
export function FrozenGrants() {
  const { data = [] } = useQuery(queries.apps.frozen.queryOptions());
  const isForYou = useMayCall('apps.allowSeveralAgain');
  return data.length === 0 || !isForYou ? null : <Choice grants={data} />;
}

function Choice({ grants }: { grants: readonly Grant[] }) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [asking, { open, close }] = useDisclosure(false);
  const waiting = useWaitingSubjects();
  const report = useReporting();
  const allow = useMutation(
    queries.apps.allowSeveralAgain.mutationOptions({
      onSuccess: async ({ allowed, waiting: waits }) => {
        close();
        setChosen(new Set());
        if (waits > 0) await report.done(words.chosenWait({ count: waits }), 'waiting');
        if (allowed > 0 || waits === 0) await report.done(words.chosenAllowed({ count: allowed }), 'apps', 'node');
      },
      onError: report.failed,
    }),
  );
  // A grant that waits for a second person, or is not frozen any more, cannot be chosen.
  const choices = grants.map(({ id }) => id).filter((id) => !waiting.has(id));
  const ids = choices.filter((id) => chosen.has(id));
  const toggle = (id: string) => setChosen(new Set(chosen.has(id) ? ids.filter((one) => one !== id) : [...ids, id]));
  const all = ids.length === choices.length;
  return (
    <Card title={words.frozenSince} accent>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {words.frozenLead}
        </Text>
        {choices.length > 1 && (
          <Checkbox
            label={words.chooseAll}
            checked={all}
            indeterminate={ids.length > 0 && !all}
            onChange={() => setChosen(new Set(all ? [] : choices))}
          />
        )}
        {grants.map(({ id, client }) => (
          <Checkbox
            key={id}
            checked={ids.includes(id)}
            onChange={() => toggle(id)}
            disabled={waiting.has(id)}
            description={waiting.has(id) && messages.people.wait.title}
            label={
              <>
                <InertText text={messages.consent.clientName(client)} expands={false} length={64} />{' '}
                <AnchorLink to="/apps/$grantId" params={{ grantId: id }} size="sm">
                  {words.lookAtFrozen}
                </AnchorLink>
              </>
            }
          />
        ))}
        {choices.length > 0 && (
          <Button onClick={open} disabled={ids.length === 0} w="fit-content">
            {words.allowChosen({ count: ids.length })}
          </Button>
        )}
      </Stack>
      <Confirm
        opened={asking}
        onClose={close}
        title={words.allowChosenTitle}
        words={words.allowChosenWords({ count: ids.length })}
        action={words.allowChosen({ count: ids.length })}
        busy={allow.isPending}
        error={allow.error}
        onConfirm={() => allow.mutate({ ids })}
      />
    </Card>
  );
}
