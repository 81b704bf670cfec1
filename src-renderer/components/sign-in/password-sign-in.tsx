import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { durationText } from '../../../src-shared/words/duration-text.ts';
import { type SignInRefusal, signIn } from '../../transport/session.ts';
import { useSecondsLeft } from '../forms/use-seconds-left.ts';

const words = messages.ways;

function textOf({ code }: SignInRefusal): string {
  if (code === 'busy') return words.signIn.busy;
  return code === 'clock_set_back' ? words.signIn.clockSetBack : words.signIn.wrong;
}

/** Signs in with a name, a password and a code. */
export function PasswordSignIn({ onOpen }: { onOpen: () => Promise<void> }) {
  const [signInName, setSignInName] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [secondsLeft, waitFor] = useSecondsLeft(0);
  const attempt = async () => {
    setBusy(true);
    setProblem(undefined);
    const answer = await signIn({ signInName, password, code }).catch(() => undefined);
    setBusy(false);
    if (answer === 'open') return await onOpen();
    if (answer === undefined) return setProblem(messages.errors.unreachable);
    setCode('');
    if (answer.secondsLeft !== undefined) waitFor(answer.secondsLeft);
    else setProblem(textOf(answer));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (signInName !== '' && password !== '' && code !== '' && secondsLeft === 0) void attempt();
  };
  const told = secondsLeft > 0 ? words.signIn.wait({ time: durationText(secondsLeft) }) : problem;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <TextInput
          label={words.password.signInName}
          value={signInName}
          onChange={(event) => setSignInName(event.currentTarget.value)}
          maxLength={60}
          autoComplete="username"
        />
        <PasswordInput
          label={words.password.password}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          maxLength={1024}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': messages.common.showPassword }}
        />
        <TextInput
          label={words.signIn.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          maxLength={40}
          autoComplete="one-time-code"
          dir="ltr"
        />
        {told !== undefined && (
          <Text size="sm" c="red" role="alert">
            {told}
          </Text>
        )}
        <Button type="submit" loading={busy} disabled={secondsLeft > 0}>
          {words.signIn.signIn}
        </Button>
      </Stack>
    </form>
  );
}
