import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { namesOfBrowser } from '../../../src-shared/words/console/browser-name.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Failure } from '../page/failure.tsx';
import { addPasskey } from './passkey-calls.ts';

const words = messages.ways;

/** What the passkey of this device is called unless the person types another name. */
const presetName = (): string => messages.lock.browsers.name(namesOfBrowser(navigator.userAgent));

/** Makes a passkey on this device. */
export function PasskeyForm({ onMade, onCancel }: { onMade: (name: string) => void; onCancel?: () => void }) {
  const [name, setName] = useState(presetName);
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Error | string>();
  const make = async () => {
    setBusy(true);
    setProblem(undefined);
    try {
      const outcome = await addPasskey(name.trim());
      if (outcome === 'made') onMade(name.trim());
      else setProblem(outcome === 'known' ? words.known : words.notMade);
    } catch (error) {
      setProblem(error instanceof Error ? error : words.notMade);
    }
    setBusy(false);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (name.trim() !== '') void make();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text>{words.addWords}</Text>
        <TextInput
          label={words.name}
          description={words.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          maxLength={60}
          error={tried && name.trim() === '' ? words.nameNeeded : undefined}
          required
        />
        {typeof problem === 'string' && (
          <Text size="sm" c="red" role="alert">
            {problem}
          </Text>
        )}
        <Failure error={problem instanceof Error ? problem : null} />
        <Group justify="flex-end" gap="sm">
          {onCancel !== undefined && (
            <Button variant="default" onClick={onCancel}>
              {messages.common.cancel}
            </Button>
          )}
          <Button type="submit" loading={busy} fullWidth={onCancel === undefined}>
            {words.make}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
