import { Button, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { durationText } from '../../../src-shared/words/duration-text.ts';
import { type SignInRefusal, signIn } from '../../transport/session.ts';

const words = messages.ways.setUp;

const problemOf = (answer: SignInRefusal | undefined): string => {
  if (answer === undefined) return messages.errors.unreachable;
  return answer.secondsLeft === undefined ? words.wrong : messages.ways.signIn.wait({ time: durationText(answer.secondsLeft) });
};

/** Asks for the setup code of a node that belongs to nobody yet. */
export function SetUpForm({ onOpen }: { onOpen: () => Promise<void> }) {
  const [setUpCode, setSetUpCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const attempt = async () => {
    setBusy(true);
    setProblem(undefined);
    const answer = await signIn({ setUpCode }).catch(() => undefined);
    setBusy(false);
    if (answer === 'open') await onOpen();
    else setProblem(problemOf(answer));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (setUpCode.trim() !== '') void attempt();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text>{words.lead}</Text>
        <TextInput
          label={words.code}
          description={words.hint}
          value={setUpCode}
          onChange={(event) => setSetUpCode(event.currentTarget.value)}
          maxLength={100}
          autoComplete="off"
          dir="ltr"
          error={problem}
          autoFocus
        />
        <Button type="submit" loading={busy}>
          {words.go}
        </Button>
      </Stack>
    </form>
  );
}
