import { Alert, Modal, PasswordInput, Select, Stack, Text } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { Lock } from '../../src-shared/operator-contract/lock.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../components/forms/dialog-foot.tsx';
import { NewPassphraseInputs, useNewPassphrase } from '../components/forms/new-passphrase.tsx';
import { useSecondsLeft } from '../components/forms/use-seconds-left.ts';
import { lockState } from '../transport/lock-state.ts';
import { client } from '../transport/operator-client.ts';
import { isAboutPassphrase, secondsIn } from '../transport/passphrase-error.ts';
import { useReporting } from '../transport/reporting.ts';
import { IDLE_CHOICES, idleChoices } from './idle-choices.ts';

const words = messages.lock.card;
const SHORTEST = 8;
const NEW_WORDS = { label: words.new, hint: words.newHint, again: words.again, tooShort: words.short, differ: words.differ };

export type PassphraseDialogKind = 'protect' | 'change' | 'remove';

const WORDS = {
  protect: { title: words.protectTitle, action: words.protect, done: words.protected },
  change: { title: words.change, action: words.change, done: words.changed },
  remove: { title: words.removeTitle, action: words.remove, done: words.removed },
} as const;

/** What the field of the current passphrase says when the node has refused what was typed. */
function refusalOf(error: Error | null, secondsLeft: number): string | undefined {
  if (!isAboutPassphrase(error)) return undefined;
  return secondsLeft > 0 ? messages.lock.wait({ seconds: secondsLeft }) : messages.lock.wrong;
}

/** Sets, changes or removes the passphrase. Only this component holds what is typed. */
export function PassphraseDialog({ kind, onClose }: { kind: PassphraseDialogKind; onClose: () => void }) {
  const [current, setCurrent] = useState('');
  const secret = useNewPassphrase(SHORTEST);
  const { passphrase } = secret;
  const [idle, setIdle] = useState(String(IDLE_CHOICES.first));
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [secondsLeft, waitFor] = useSecondsLeft(0);
  const report = useReporting();
  const asksCurrent = kind !== 'protect';
  const asksNew = kind !== 'remove';
  const currentFault = asksCurrent && current === '' ? words.currentNeeded : undefined;
  const send = (): Promise<Lock> => {
    switch (kind) {
      case 'protect':
        return client.lock.protect({
          passphrase,
          settings: { idleMinutes: idle === IDLE_CHOICES.never ? null : Number(idle), atStart: true },
        });
      case 'change':
        return client.lock.changePassphrase({ current, passphrase });
      case 'remove':
        return client.lock.removePassphrase({ current });
    }
  };
  const run = async () => {
    setBusy(true);
    setError(null);
    try {
      lockState.set(await send());
      onClose();
      await report.done(WORDS[kind].done);
    } catch (reason) {
      setError(reason instanceof Error ? reason : new Error(String(reason)));
      if (isAboutPassphrase(reason)) waitFor(secondsIn(reason));
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const isNewWrong = asksNew && (secret.tooShort || secret.differs);
    if (currentFault === undefined && !isNewWrong && secondsLeft === 0) void run();
  };
  return (
    <Modal opened onClose={onClose} title={WORDS[kind].title} closeOnClickOutside={passphrase === '' && !busy}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {kind === 'remove' && <Text>{words.removeWords}</Text>}
          {asksCurrent && (
            <PasswordInput
              label={words.current}
              value={current}
              onChange={(event) => setCurrent(event.currentTarget.value)}
              error={refusalOf(error, secondsLeft) ?? (tried ? currentFault : undefined)}
              maxLength={1024}
              autoComplete="current-password"
              required
              data-autofocus
            />
          )}
          {asksNew && (
            <>
              <NewPassphraseInputs value={secret} tried={tried} words={NEW_WORDS} data-autofocus={asksCurrent ? undefined : true} />
              <Alert color="orange" data-notice icon={<IconKey aria-hidden />}>
                {words.loss}
              </Alert>
            </>
          )}
          {kind === 'protect' && (
            <Select
              label={words.idle}
              data={idleChoices(null)}
              value={idle}
              onChange={(value) => setIdle(value ?? IDLE_CHOICES.never)}
              allowDeselect={false}
            />
          )}
          <DialogFoot
            error={isAboutPassphrase(error) ? null : error}
            busy={busy}
            action={WORDS[kind].action}
            onClose={onClose}
            danger={kind === 'remove'}
            disabled={secondsLeft > 0}
          />
        </Stack>
      </form>
    </Modal>
  );
}
