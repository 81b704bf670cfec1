import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Card } from '../../components/page/card.tsx';
import { Empty } from '../../components/page/empty.tsx';
import { Failure } from '../../components/page/failure.tsx';
import { hasPasskeys } from '../../components/sign-in/passkey-calls.ts';
import { PasskeyForm } from '../../components/sign-in/passkey-form.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { you } from '../../transport/you.ts';
import classes from '../settings.module.css';
import { PasskeyLine } from './passkey-line.tsx';
import { PasswordPart } from './password-part.tsx';
import { PinPart } from './pin-part.tsx';

const words = messages.ways;

/** How the person at this page signs in: passkeys, a password for who has none, and a PIN where several work. */
export function WaysCard() {
  const [adding, setAdding] = useState(false);
  const listed = useQuery(queries.ways.list.queryOptions());
  const report = useReporting();
  const current = useStateCell(you);
  const [byPin, isShared] = [current?.byPin === true, current?.isShared === true];
  const { passkeys = [], passkeysHere = true, password = null } = listed.data ?? {};
  const canAdd = passkeysHere && hasPasskeys();
  const add = canAdd ? <Button onClick={() => setAdding(true)}>{words.add}</Button> : undefined;
  const made = async (name: string) => {
    setAdding(false);
    await report.done(words.added({ name }), 'people');
  };
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Text c="dimmed">{words.lead}</Text>
        <Failure error={listed.error} />
        {byPin && <Text>{words.pin.cameByPin}</Text>}
        {!byPin && passkeys.length > 0 && (
          <ul className={classes.browsers}>
            {passkeys.map((passkey) => (
              <PasskeyLine key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        )}
        {!byPin && listed.data !== undefined && passkeys.length === 0 && canAdd && (
          <Empty icon={IconFingerprint} title={words.none} advice={words.noneAdvice} action={add} />
        )}
        {!byPin && passkeys.length > 0 && add !== undefined && <Group>{add}</Group>}
        {!byPin && !canAdd && (
          <Text size="sm">{passkeysHere ? words.notSupported : words.notHere({ address: `localhost:${location.port}` })}</Text>
        )}
        {!byPin && listed.data !== undefined && <PasswordPart password={password} />}
        {isShared && listed.data !== undefined && <PinPart pin={listed.data.pin} />}
      </Stack>
      <Modal opened={adding} onClose={() => setAdding(false)} title={words.addTitle}>
        <PasskeyForm onMade={(name) => void made(name)} onCancel={() => setAdding(false)} />
      </Modal>
    </Card>
  );
}
