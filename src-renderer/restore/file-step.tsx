import { Alert, Button, FileInput, Group, PasswordInput, Progress, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconFileLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { BackupContent } from '../../src-shared/operator-contract/restore.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { client, queries } from '../transport/operator-client.ts';
import { handOver } from './hand-over.ts';

const words = messages.restore;

function faultOf(file: File | null): string | undefined {
  if (file === null) return words.fileNeeded;
  return file.size === 0 ? words.fileEmpty : undefined;
}

/**
 * Asks for the file and its passphrase. When another passphrase is typed, a file that the node has already is not sent
 * again.
 */
export function FileStep({ onOpened }: { onOpened: (id: string, content: BackupContent) => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [passphrase, setPassphrase] = useState('');
  const [tried, setTried] = useState(false);
  const [taken, setTaken] = useState<number>();
  const handedOver = useRef<{ file: File; id: string }>(undefined);
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);

  const open = useMutation({
    mutationFn: async ({ file, passphrase }: { file: File; passphrase: string }) => {
      const { signal } = leaving.current;
      if (handedOver.current?.file !== file) {
        handedOver.current = undefined;
        setTaken(0);
        handedOver.current = { file, id: await handOver(file, setTaken, signal) };
      }
      setTaken(1);
      const { id } = handedOver.current;
      return { id, content: await client.restore.look({ id, passphrase }, { signal }) };
    },
    onSuccess: ({ id, content }) => onOpened(id, content),
    // After any other failure the node may not have the file any more, so it is sent again.
    onError: (error) => {
      if ('code' in error && error.code === 'NOT_OPENED') return;
      handedOver.current = undefined;
    },
    onSettled: () => setTaken(undefined),
  });
  const discard = useMutation(queries.restore.discard.mutationOptions());
  /** Ends whatever is under way, on this page and in the node. */
  const cancel = () => {
    leaving.current.abort();
    leaving.current = new AbortController();
    handedOver.current = undefined;
    open.reset();
    setTaken(undefined);
    discard.mutate({});
  };
  const fault = { file: faultOf(file), passphrase: passphrase === '' ? words.passphraseNeeded : undefined };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (file === null || fault.file !== undefined || fault.passphrase !== undefined) return;
    open.mutate({ file, passphrase });
  };
  return (
    <Card>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Alert color="orange" data-notice icon={<IconAlertTriangle aria-hidden />}>
            {words.stopOld}
          </Alert>
          <FileInput
            label={words.file}
            description={words.fileHint}
            placeholder={words.filePlaceholder}
            accept=".age"
            value={file}
            onChange={setFile}
            error={tried ? fault.file : undefined}
            disabled={open.isPending}
            leftSection={<IconFileLock size={18} aria-hidden />}
            fileInputProps={{ 'aria-label': words.file }}
          />
          <PasswordInput
            label={words.passphrase}
            description={words.passphraseHint}
            value={passphrase}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
            error={tried ? fault.passphrase : undefined}
            disabled={open.isPending}
            maxLength={1024}
            autoComplete="off"
            visibilityToggleButtonProps={{ 'aria-label': messages.common.showPassword }}
          />
          {taken !== undefined && (
            <Stack gap={6} role="status">
              <Progress.Root size="md">
                <Progress.Section value={Math.floor(100 * taken)} aria-label={words.progress} />
              </Progress.Root>
              <Text size="sm" c="dimmed">
                {taken < 1 ? words.handingOver({ percent: Math.floor(100 * taken) }) : words.opening}
              </Text>
            </Stack>
          )}
          <Failure error={open.error ?? discard.error} />
          <Group gap="md">
            <Button type="submit" loading={open.isPending || discard.isPending}>
              {words.open}
            </Button>
            {open.isPending ? (
              <Button variant="default" onClick={cancel}>
                {messages.common.cancel}
              </Button>
            ) : (
              <Text size="sm" c="dimmed">
                {words.openHint}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
    </Card>
  );
}
