import { PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { LEAST_PASSWORD } from '../../../src-shared/people/password-rules.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { DialogFoot } from '../forms/dialog-foot.tsx';
import { Copyable } from '../text/copyable.tsx';
import { Facts } from '../text/facts.tsx';
import { QrCode } from '../text/qr-code.tsx';
import classes from './password-form.module.css';

const words = messages.ways.password;

interface Chosen {
  signInName: string;
  password: string;
}

/** Sets a password: first the password, then the app for codes. @param onSet gets the recovery codes. */
export function PasswordForm({ preset, onSet, onCancel }: { preset: string; onSet: (codes: string[]) => void; onCancel: () => void }) {
  const [chosen, setChosen] = useState<Chosen>();
  const begin = useMutation(queries.ways.beginPassword.mutationOptions());
  const go = (next: Chosen) => {
    setChosen(next);
    begin.mutate({});
  };
  if (chosen === undefined || begin.data === undefined) {
    return <ChoosePassword preset={preset} busy={begin.isPending} error={begin.error} onChosen={go} onCancel={onCancel} />;
  }
  return <ConnectApp chosen={chosen} app={begin.data} onSet={onSet} onCancel={onCancel} />;
}

interface ChooseProps {
  preset: string;
  busy: boolean;
  error: Error | null;
  onChosen: (chosen: Chosen) => void;
  onCancel: () => void;
}

function ChoosePassword({ preset, busy, error, onChosen, onCancel }: ChooseProps) {
  const [signInName, setSignInName] = useState(preset);
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const isShort = password.length < LEAST_PASSWORD;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (signInName.trim() !== '' && !isShort) onChosen({ signInName, password });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text>{words.lead}</Text>
        <TextInput
          label={words.signInName}
          description={words.signInNameHint}
          value={signInName}
          onChange={(event) => setSignInName(event.currentTarget.value)}
          maxLength={60}
          autoComplete="username"
          error={tried && signInName.trim() === '' ? messages.ways.nameNeeded : undefined}
          required
        />
        <PasswordInput
          label={words.password}
          description={words.passwordHint({ count: LEAST_PASSWORD })}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          maxLength={1024}
          autoComplete="new-password"
          error={tried && isShort ? words.tooShort({ count: LEAST_PASSWORD }) : undefined}
          required
          visibilityToggleButtonProps={{ 'aria-label': messages.common.showPassword }}
        />
        <DialogFoot error={error} busy={busy} action={words.next} onClose={onCancel} />
      </Stack>
    </form>
  );
}

interface ConnectProps {
  chosen: Chosen;
  app: { setUp: string; secret: string; uri: string };
  onSet: (codes: string[]) => void;
  onCancel: () => void;
}

function ConnectApp({ chosen, app, onSet, onCancel }: ConnectProps) {
  const [code, setCode] = useState('');
  const [tried, setTried] = useState(false);
  const digits = code.replaceAll(/\s/g, '');
  const isCode = /^\d{6}$/.test(digits);
  const set = useMutation(queries.ways.setPassword.mutationOptions({ onSuccess: ({ codes }) => onSet(codes) }));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isCode) set.mutate({ ...chosen, setUp: app.setUp, code: digits });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Title order={3} size="h5">
          {words.appTitle}
        </Title>
        <Text>{words.appWords}</Text>
        <QrCode text={app.uri} label={words.qrLabel} look={classes.square} />
        <Text size="sm" c="dimmed">
          {words.byHand}
        </Text>
        <Facts facts={[[words.key, <Copyable key="key" value={app.secret} what={words.key} literal />]]} />
        <TextInput
          label={words.code}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          maxLength={12}
          inputMode="numeric"
          autoComplete="one-time-code"
          dir="ltr"
          error={tried && !isCode ? words.codeNeeded : undefined}
          required
          autoFocus
        />
        <DialogFoot error={set.error} busy={set.isPending} action={words.done} onClose={onCancel} />
      </Stack>
    </form>
  );
}
