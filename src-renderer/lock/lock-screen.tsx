import { Box, Button, Center, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { useSecondsLeft } from '../components/forms/use-seconds-left.ts';
import { Brand } from '../components/page/brand.tsx';
import { SwitchWhileLocked } from '../components/sign-in/switch-while-locked.tsx';
import { CopyableBlock } from '../components/text/copyable-block.tsx';
import { dataFolder } from '../transport/data-folder.ts';
import { lockState } from '../transport/lock-state.ts';
import { client } from '../transport/operator-client.ts';
import { isAboutPassphrase, secondsIn } from '../transport/passphrase-error.ts';
import { readLock } from '../transport/read-lock.ts';
import { useStateCell } from '../transport/state-cell.ts';

const words = messages.lock;

/**
 * Everything that a locked console shows. Only this component holds the passphrase, and the page forgets what it knew
 * before, not only hides it.
 */
export function LockScreen() {
  const queryClient = useQueryClient();
  const lock = useStateCell(lockState);
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [secondsLeft, waitFor] = useSecondsLeft(lock?.secondsLeft ?? 0);
  useDocumentTitle(messages.common.title({ page: words.title, waiting: 0 }));
  useEffect(() => {
    // The screens are gone by now, so nothing reads the forgotten data again.
    queryClient.clear();
    notifications.clean();
    readLock(queryClient).catch(() => undefined);
  }, [queryClient]);
  const unlock = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      await client.lock.open({ passphrase });
      await readLock(queryClient);
    } catch (error) {
      setPassphrase('');
      const known = isAboutPassphrase(error);
      setProblem(known ? words.wrong : words.unreachable);
      if (known) waitFor(secondsIn(error));
      // The console was unlocked elsewhere meanwhile, or its passphrase was removed.
      else readLock(queryClient).catch(() => undefined);
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (passphrase !== '' && secondsLeft === 0) void unlock();
  };
  return (
    <Center mih="100dvh" p="lg" component="main">
      <Box component="form" w="min(420px, 100%)" onSubmit={submit} noValidate>
        <Stack gap="md">
          <Brand />
          <Title order={1} mt="sm">
            {words.title}
          </Title>
          <Text>
            {lock?.reason ? `${words.reason[lock.reason]} ` : ''}
            {words.goesOn}
          </Text>
          <PasswordInput
            label={words.passphrase}
            value={passphrase}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
            error={secondsLeft > 0 ? words.wait({ seconds: secondsLeft }) : problem}
            maxLength={1024}
            autoComplete="current-password"
            autoFocus
            visibilityToggleButtonProps={{ 'aria-label': messages.common.showPassword }}
          />
          <Button type="submit" loading={busy} disabled={secondsLeft > 0}>
            {words.unlock}
          </Button>
          <SwitchWhileLocked />
          {problem === words.wrong && (
            <>
              <Text size="sm" c="dimmed">
                {words.forgotten}
              </Text>
              <CopyableBlock value={words.command(dataFolder)} what={messages.common.command} />
            </>
          )}
        </Stack>
      </Box>
    </Center>
  );
}
