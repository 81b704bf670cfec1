import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Failure } from '../components/failure.tsx';
import { messages } from '../messages.ts';
import { queries } from '../operator-client.ts';
import { useReporting } from '../reporting.ts';

const words = messages.accounts;

/** Takes the public key of an app. */
export function AddKeyDialog({ accountId, opened, onClose }: { accountId: string; opened: boolean; onClose: () => void }) {
  const [label, setLabel] = useState('');
  const [jwk, setJwk] = useState('');
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const add = useMutation(
    queries.accounts.keys.add.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.keyAdded(label.trim()), 'keys');
      },
      onError: report.failed,
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (label.trim() !== '' && jwk.trim() !== '') add.mutate({ id: accountId, label: label.trim(), jwk: jwk.trim() });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={words.addKeyTitle} closeOnClickOutside={jwk === ''}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={words.keyLabel}
            description={words.keyLabelHint}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            maxLength={100}
            error={tried && label.trim() === '' ? words.keyLabelNeeded : undefined}
            required
            data-autofocus
          />
          <Textarea
            label={words.jwk}
            placeholder='{"kty":"OKP","crv":"Ed25519","kid":"…","x":"…"}'
            value={jwk}
            onChange={(event) => setJwk(event.currentTarget.value)}
            maxLength={4096}
            rows={6}
            ff="monospace"
            spellCheck={false}
            autoComplete="off"
            error={tried && jwk.trim() === '' ? words.jwkNeeded : undefined}
            required
          />
          <Failure error={add.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {messages.common.cancel}
            </Button>
            <Button type="submit" loading={add.isPending}>
              {words.addKey}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
