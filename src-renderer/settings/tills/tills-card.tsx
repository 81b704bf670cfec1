import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconDeviceTablet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { NewPairing } from '../../../src-shared/operator-contract/console/tills.ts';
import type { NodeInfo } from '../../../src-shared/operator-contract/node.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Card } from '../../components/page/card.tsx';
import { Empty } from '../../components/page/empty.tsx';
import { Failure } from '../../components/page/failure.tsx';
import { queries } from '../../transport/operator-client.ts';
import classes from '../settings.module.css';
import { PairingDialog } from './pairing-dialog.tsx';
import { TillDialog } from './till-dialog.tsx';
import { TillLine } from './till-line.tsx';

const words = messages.tills;

/** The phones and tablets that are tills. */
export function TillsCard() {
  const [isAdding, setAdding] = useState(false);
  const [pairing, setPairing] = useState<NewPairing>();
  const listed = useQuery(queries.tills.list.queryOptions());
  const info = useQuery(queries.node.info.queryOptions());
  const tills = listed.data?.tills ?? [];
  const add = <Button onClick={() => setAdding(true)}>{words.add}</Button>;
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Text c="dimmed">{words.lead}</Text>
        {info.data !== undefined && <AddressNotice info={info.data} />}
        <Failure error={listed.error} />
        {listed.data !== undefined && tills.length === 0 && (
          <Empty icon={IconDeviceTablet} title={words.none} advice={words.noneAdvice} action={add} />
        )}
        {tills.length > 0 && (
          <>
            <ul className={classes.browsers}>
              {tills.map((till) => (
                <TillLine key={till.id} till={till} onPairing={setPairing} />
              ))}
            </ul>
            <Group>{add}</Group>
          </>
        )}
      </Stack>
      {isAdding && (
        <TillDialog
          onClose={() => setAdding(false)}
          onAdded={(added) => {
            setAdding(false);
            setPairing(added);
          }}
        />
      )}
      {pairing !== undefined && <PairingDialog pairing={pairing} onClose={() => setPairing(undefined)} />}
    </Card>
  );
}

/** Says what keeps devices from the public address. On this computer a browser takes the place of a device. */
function AddressNotice({ info: { publicUrl, reachableByOthers, development } }: { info: NodeInfo }) {
  const isEncrypted = publicUrl.startsWith('https:');
  if (reachableByOthers && (isEncrypted || development)) return null;
  return (
    <Alert color="orange" data-notice>
      {(reachableByOthers ? words.notEncrypted : words.onlyHere)({ url: publicUrl })}
    </Alert>
  );
}
