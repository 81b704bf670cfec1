import { Box, Button, Center, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { IconCloudOff, IconDeviceTablet, IconPlayerPause, IconTrash, type TablerIcon } from '@tabler/icons-react';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { device, pairDevice, pairingProblem, pairingSecretIn } from '../../transport/device.ts';
import { connection } from '../../transport/live.ts';
import { shopDaysKey } from '../../transport/node-info.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { useTill } from '../../transport/you.ts';

const words = messages.tills.screen;

/** The till of a paired device, or why it cannot sell. */
export function PairedTill({ router }: { router: AnyRouter }) {
  const state = useStateCell(device);
  const days = useStateCell(shopDaysKey);
  const isLost = useStateCell(connection) === 'lost';
  // Times that are on the screen are written anew when the shop counts its days in another way.
  if (state === 'open') return <RouterProvider key={days} router={router} />;
  if (state === 'paused') return <Said icon={IconPlayerPause} title={words.pausedTitle} text={words.pausedWords} />;
  if (state === 'removed') return <Said icon={IconTrash} title={words.removedTitle} text={words.removedWords} />;
  if (state === 'unpaired')
    return (
      <Said icon={IconDeviceTablet} title={words.unpairedTitle} text={words.unpaired}>
        <Pairing />
      </Said>
    );
  if (isLost) return <Said icon={IconCloudOff} title={words.offlineTitle} text={words.offline} />;
  return (
    <Center mih="100dvh" role="status" aria-label={messages.common.session.opening}>
      <Loader aria-hidden />
    </Center>
  );
}

interface SaidProps {
  icon: TablerIcon;
  title: string;
  text: string;
  children?: ReactNode;
}

/** Says in the middle of the screen why nothing can be sold. */
function Said({ icon: Icon, title, text, children }: SaidProps) {
  const till = useTill();
  useDocumentTitle(messages.common.title({ page: till?.name ?? title, waiting: 0 }));
  return (
    <Center mih="100dvh" p="lg" component="main">
      <Stack align="center" gap="sm" w="min(420px, 100%)">
        <Icon size={48} aria-hidden />
        {till !== null && (
          <Text c="dimmed">
            <bdi>{till.name}</bdi>
          </Text>
        )}
        <Box role="status">
          <Title order={1} ta="center">
            {title}
          </Title>
        </Box>
        <Text ta="center">{text}</Text>
        {children}
      </Stack>
    </Center>
  );
}

/** A device that cannot scan its own screen gets the link by hand: an installed page keeps what it has to itself. */
function Pairing() {
  const problem = useStateCell(pairingProblem);
  const [link, setLink] = useState('');
  const [isWhole, setWhole] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const secret = pairingSecretIn(link);
    setWhole(secret !== undefined);
    if (secret === undefined) return;
    setBusy(true);
    await pairDevice(secret);
    setBusy(false);
  };
  const told = {
    wrong: words.linkWrong,
    ended: words.linkEnded,
    too_many: words.tooMany,
    unreachable: messages.errors.unreachable,
  };
  return (
    <Box component="form" w="100%" mt="md" onSubmit={(event: FormEvent) => void submit(event)} noValidate>
      <Stack gap="sm">
        <TextInput
          label={words.pasteLabel}
          value={link}
          onChange={({ currentTarget }) => setLink(currentTarget.value)}
          error={isWhole ? problem && told[problem] : words.linkWrong}
          maxLength={2_000}
          dir="ltr"
          autoComplete="off"
        />
        <Button type="submit" loading={isBusy} disabled={link.trim() === ''}>
          {words.pair}
        </Button>
      </Stack>
    </Box>
  );
}
