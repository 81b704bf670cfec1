import { Button, Group, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Card } from '../../components/page/card.tsx';
import { Empty } from '../../components/page/empty.tsx';
import { Failure } from '../../components/page/failure.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useMayCall } from '../../transport/you.ts';
import classes from '../settings.module.css';
import { ApiKeyLine } from './api-key-line.tsx';
import { MakeKeyDialog } from './make-key-dialog.tsx';

const words = messages.apiKeys;

/** The keys of the shop's own software. */
export function ApiKeysCard() {
  const [making, setMaking] = useState(false);
  const listed = useQuery(queries.apiKeys.list.queryOptions());
  const keys = listed.data?.keys ?? [];
  const mayMake = useMayCall('apiKeys.create');
  const make = mayMake ? <Button onClick={() => setMaking(true)}>{words.make}</Button> : undefined;
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Text c="dimmed">{words.lead}</Text>
        <Failure error={listed.error} />
        {listed.data !== undefined && keys.length === 0 && (
          <Empty icon={IconKey} title={words.none} advice={words.noneAdvice} action={make} />
        )}
        {keys.length > 0 && (
          <>
            <ul className={classes.browsers}>
              {keys.map((key) => (
                <ApiKeyLine key={key.id} apiKey={key} />
              ))}
            </ul>
            <Group>{make}</Group>
          </>
        )}
      </Stack>
      {making && <MakeKeyDialog onClose={() => setMaking(false)} />}
    </Card>
  );
}
