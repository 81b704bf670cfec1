import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Grant } from '../../src-shared/operator-contract/apps.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { Card } from '../components/page/card.tsx';
import { AnchorLink } from '../components/page/links.tsx';
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
  const report = useReporting();
  const allow = useMutation(
    queries.apps.allowSeveralAgain.mutationOptions({
      onSuccess: async ({ allowed, waiting }) => {
        close();
        setChosen(new Set());
        if (waiting > 0) await report.done(words.chosenWait({ count: waiting }), 'waiting');
        if (allowed > 0 || waiting === 0) await report.done(words.chosenAllowed({ count: allowed }), 'apps', 'node');
      },
      onError: report.failed,
    }),
  );
  // A grant that is not frozen any more cannot be chosen.
  const ids = grants.map(({ id }) => id).filter((id) => chosen.has(id));
  const toggle = (id: string) => setChosen(new Set(chosen.has(id) ? ids.filter((one) => one !== id) : [...ids, id]));
  const all = ids.length === grants.length;
  return (
    <Card title={words.frozenSince} accent>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {words.frozenLead}
        </Text>
        {grants.length > 1 && (
          <Checkbox
            label={words.chooseAll}
            checked={all}
            indeterminate={ids.length > 0 && !all}
            onChange={() => setChosen(new Set(all ? [] : grants.map(({ id }) => id)))}
          />
        )}
        {grants.map(({ id, client }) => (
          <Checkbox
            key={id}
            checked={chosen.has(id)}
            onChange={() => toggle(id)}
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
        <Button onClick={open} disabled={ids.length === 0} w="fit-content">
          {words.allowChosen({ count: ids.length })}
        </Button>
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
