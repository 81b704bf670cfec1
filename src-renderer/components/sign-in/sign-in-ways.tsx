import { Button, Stack, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { hasPasskeys, signInWithPasskey } from './passkey-calls.ts';
import { PasswordSignIn } from './password-sign-in.tsx';

const words = messages.ways.signIn;

interface SignInWaysProps {
  passkey: boolean;
  password: boolean;
  onOpen: () => Promise<void>;
}

/** Signs in whoever has a passkey or a password. */
export function SignInWays({ passkey, password, onOpen }: SignInWaysProps) {
  const canPasskey = passkey && hasPasskeys();
  const [typing, setTyping] = useState(!canPasskey);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const tryPasskey = async () => {
    setBusy(true);
    setProblem(undefined);
    const answer = await signInWithPasskey().catch(() => 'given_up' as const);
    setBusy(false);
    if (answer === 'open') await onOpen();
    else setProblem(answer === 'given_up' ? words.notDone : words.refused);
  };
  return (
    <Stack gap="md">
      {canPasskey && (
        <>
          <Button size="md" leftSection={<IconFingerprint size={20} aria-hidden />} onClick={tryPasskey} loading={busy}>
            {words.withPasskey}
          </Button>
          <Text size="sm" c={problem === undefined ? 'dimmed' : undefined} role={problem === undefined ? undefined : 'alert'}>
            {problem ?? words.passkeyHint}
          </Text>
        </>
      )}
      {password && !typing && (
        <Button variant="default" onClick={() => setTyping(true)}>
          {words.withPassword}
        </Button>
      )}
      {password && typing && <PasswordSignIn onOpen={onOpen} />}
    </Stack>
  );
}
