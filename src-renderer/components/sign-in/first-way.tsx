import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { you } from '../../transport/you.ts';
import { Brand } from '../page/brand.tsx';
import { hasPasskeys } from './passkey-calls.ts';
import { PasskeyForm } from './passkey-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

const words = messages.ways;

/** Lets a person choose how they will sign in. They can do nothing else before. */
export function FirstWay({ onOpen }: { onOpen: () => void }) {
  const listed = useQuery(queries.ways.list.queryOptions());
  const [byPassword, setByPassword] = useState(false);
  const [codes, setCodes] = useState<string[]>();
  const name = useStateCell(you)?.person?.name ?? '';
  const title = name === '' ? words.first.titleUnnamed : words.first.title({ name });
  useDocumentTitle(messages.common.title({ page: title, waiting: 0 }));
  const canPasskey = hasPasskeys() && listed.data?.passkeysHere !== false;
  return (
    <Center mih="100dvh" p="lg" component="main">
      <Stack maw={460} w="100%" gap="md">
        <Brand />
        <Title order={1} mt="sm">
          {codes === undefined ? title : words.codes.title}
        </Title>
        {codes !== undefined && <RecoveryCodes codes={codes} onDone={onOpen} />}
        {codes === undefined && <Text>{words.first.words}</Text>}
        {codes === undefined && canPasskey && !byPassword && (
          <>
            <PasskeyForm onMade={onOpen} />
            <Button variant="default" onClick={() => setByPassword(true)}>
              {words.first.instead}
            </Button>
          </>
        )}
        {codes === undefined && (byPassword || !canPasskey) && (
          <PasswordForm preset={name} onSet={setCodes} onCancel={() => setByPassword(false)} />
        )}
      </Stack>
    </Center>
  );
}
