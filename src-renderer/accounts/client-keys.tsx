import { Button, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ClientKey } from '../../src-shared/operator-contract/accounts.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { Confirm } from '../components/forms/confirm.tsx';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { AddKeyDialog } from './add-key-dialog.tsx';
import classes from './client-keys.module.css';

const words = messages.accounts;

/** The public keys with which apps sign in the name of a wallet address. */
export function ClientKeys({ accountId }: { accountId: string }) {
  const keys = useQuery(queries.accounts.keys.list.queryOptions({ input: { id: accountId } }));
  const [adding, setAdding] = useState(0);
  const [opened, setOpened] = useState(false);
  const add = () => {
    setAdding((before) => before + 1);
    setOpened(true);
  };
  return (
    <Card
      title={words.keys}
      aside={
        <Allowed to="accounts.keys.add">
          <Button size="xs" variant="default" onClick={add}>
            {words.addKey}
          </Button>
        </Allowed>
      }
    >
      <Text size="sm" c="dimmed" mb="sm">
        {words.keysLead}
      </Text>
      <Loaded query={keys} skeleton={<Skeleton height={48} />}>
        {(list) =>
          list.length === 0 ? (
            <Text>{words.noKeys}</Text>
          ) : (
            <ul className={classes.keys}>
              {list.map((key) => (
                <li key={key.id} className={classes.key} data-ended={key.revokedAt !== null || undefined}>
                  <KeyLine clientKey={key} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {adding > 0 && <AddKeyDialog key={adding} accountId={accountId} opened={opened} onClose={() => setOpened(false)} />}
    </Card>
  );
}

function KeyLine({ clientKey: { id, kid, label, createdAt, revokedAt } }: { clientKey: ClientKey }) {
  const now = useNodeTime(60_000);
  const [asking, { open, close }] = useDisclosure(false);
  const report = useReporting();
  const name = inertText(label);
  const revoke = useMutation(
    queries.accounts.keys.revoke.mutationOptions({
      onSuccess: async () => {
        close();
        await report.done(words.keyRevoked({ label: name }), 'keys');
      },
      onError: report.failed,
    }),
  );
  return (
    <>
      <div className={classes.words}>
        <Text fw={550}>
          <InertText text={label} length={60} />
        </Text>
        <Text size="sm" c="dimmed">
          {words.keyId} <InertText text={kid} length={40} />
        </Text>
        <Text size="sm" c="dimmed">
          {revokedAt === null ? words.addedOn({ when: whenText(createdAt, now) }) : words.revokedOn({ when: whenText(revokedAt, now) })}
        </Text>
      </div>
      {revokedAt === null && (
        <Allowed to="accounts.keys.revoke">
          <Button size="xs" variant="default" onClick={open} aria-label={words.revokeKeyOf({ label: name })}>
            {words.revokeKey}
          </Button>
        </Allowed>
      )}
      <Confirm
        opened={asking}
        onClose={close}
        title={words.revokeKeyTitle({ label: name })}
        words={words.revokeKeyWords}
        action={words.revokeKey}
        danger
        busy={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate({ keyId: id })}
      />
    </>
  );
}
