import { Button, Center, Group, Modal, Stack, Text } from '@mantine/core';
import { IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { NewPairing } from '../../../src-shared/operator-contract/console/tills.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { clockText } from '../../components/text/clock-text.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { Facts } from '../../components/text/facts.tsx';
import { QrCode } from '../../components/text/qr-code.tsx';
import { useNodeTime } from '../../transport/node-clock.ts';
import { queries } from '../../transport/operator-client.ts';
import classes from './tills.module.css';

const words = messages.tills;

/**
 * Shows the code that pairs a device, until a device has come. Nothing shows it again, so a click beside the dialog
 * does not close it.
 */
export function PairingDialog({ pairing: { till, link, endsAt }, onClose }: { pairing: NewPairing; onClose: () => void }) {
  const listed = useQuery(queries.tills.list.queryOptions());
  const now = useNodeTime(1_000);
  const { name } = till;
  const isPaired = listed.data?.tills.find(({ id }) => id === till.id)?.state === 'active';
  const left = endsAt.getTime() - now.getTime();
  return (
    <Modal opened onClose={onClose} title={words.pairTitle({ name })} closeOnClickOutside={false} closeOnEscape={false}>
      <Stack gap="md">
        {!isPaired && left > 0 && (
          <>
            <Text>{words.pairWords}</Text>
            <Center>
              <QrCode text={link} look={classes.code} label={words.codeLabel({ name })} />
            </Center>
            <Facts facts={[[words.link, <Copyable key="link" value={link} what={words.link} literal />]]} />
          </>
        )}
        <Group gap="sm" role="status" className={classes.standing} data-paired={isPaired || undefined}>
          {isPaired && <IconCircleCheckFilled size={28} aria-hidden />}
          <Text fw={isPaired ? 600 : undefined}>
            {isPaired ? words.isPaired({ name }) : left > 0 ? words.waits({ time: clockText(left) }) : words.ended({ name })}
          </Text>
        </Group>
        <Group justify="flex-end">
          <Button onClick={onClose} variant={isPaired ? 'filled' : 'default'}>
            {isPaired ? words.done : words.close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
