import { Alert, Button, FileButton, Group, Modal, SegmentedControl, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { ORPCError } from '@orpc/client';
import { IconDownload, IconFileUpload, IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../components/forms/dialog-foot.tsx';
import { saveFile } from '../components/forms/save-file.ts';
import { Copyable } from '../components/text/copyable.tsx';
import { Facts } from '../components/text/facts.tsx';
import { outcomeUnknown } from '../transport/error-text.ts';
import { client } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import classes from './client-keys.module.css';
import { type KeyPair, makeKeyPair, pemName, toJwkText } from './key-pair.ts';

const words = messages.accounts;
const LONGEST = 4096;

interface AddKeyDialogProps {
  accountId: string;
  opened: boolean;
  onClose: () => void;
}

/** Takes the public key of an app, or makes a key pair in this browser and hands over its private key once. */
export function AddKeyDialog({ accountId, opened, onClose }: AddKeyDialogProps) {
  const [way, setWay] = useState<'given' | 'made'>('given');
  const [label, setLabel] = useState('');
  const [text, setText] = useState('');
  const [tried, setTried] = useState(false);
  const [pair, setPair] = useState<KeyPair>();
  const [cannot, setCannot] = useState(false);
  const report = useReporting();
  const add = useMutation({
    mutationFn: (key: { jwk: string; again: boolean }) => addOnce({ id: accountId, label: label.trim(), jwk: key.jwk }, key.again),
    onSuccess: async () => {
      if (way === 'given') onClose();
      await report.done(words.keyAdded({ label: label.trim() }), 'keys');
    },
    onError: report.failed,
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (label.trim() === '') return;
    if (way === 'given') {
      if (text.trim() !== '') add.mutate({ jwk: toJwkText(text), again: outcomeUnknown(add.error) });
      return;
    }
    // The node may have added the pair already, so the same pair is sent again and not replaced.
    const made = pair ?? (await makeKeyPair());
    setCannot(made === undefined);
    setPair(made);
    if (made !== undefined) add.mutate({ jwk: JSON.stringify(made.publicJwk), again: outcomeUnknown(add.error) });
  };
  if (way === 'made' && add.isSuccess && pair !== undefined) {
    return <HandOver pair={pair} label={label.trim()} opened={opened} onClose={onClose} />;
  }
  const fixed = add.isPending || outcomeUnknown(add.error);
  return (
    <Modal opened={opened} onClose={onClose} title={words.addKeyTitle} closeOnClickOutside={text === '' && pair === undefined}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Stack gap="md">
          <SegmentedControl
            aria-label={words.keyWay}
            value={way}
            onChange={(value) => setWay(value === 'made' ? 'made' : 'given')}
            disabled={fixed}
            data={[
              { value: 'given', label: words.keyGiven },
              { value: 'made', label: words.keyMade },
            ]}
          />
          <TextInput
            label={words.keyLabel}
            description={words.keyLabelHint}
            value={label}
            onChange={(event) => setLabel(event.currentTarget.value)}
            maxLength={100}
            error={tried && label.trim() === '' ? words.keyLabelNeeded : undefined}
            disabled={fixed}
            required
            data-autofocus
          />
          {way === 'given' ? (
            <GivenKey text={text} onChange={setText} disabled={fixed} missing={tried && text.trim() === ''} />
          ) : (
            <Text size="sm" c="dimmed">
              {words.keyMadeWords}
            </Text>
          )}
          {cannot && (
            <Alert color="orange" data-notice role="alert" title={words.keyCannot}>
              {words.keyCannotAdvice}
            </Alert>
          )}
          <DialogFoot
            error={add.error}
            busy={add.isPending}
            action={outcomeUnknown(add.error) ? messages.common.tryAgain : way === 'given' ? words.addKey : words.makePair}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}

/** @param again whether an earlier attempt, whose answer was lost, may have added the same key */
async function addOnce(key: { id: string; label: string; jwk: string }, again: boolean): Promise<void> {
  try {
    await client.accounts.keys.add(key);
  } catch (error) {
    if (!(again && error instanceof ORPCError && error.code === 'KEY_ID_TAKEN')) throw error;
  }
}

interface GivenKeyProps {
  text: string;
  onChange: (text: string) => void;
  disabled: boolean;
  missing: boolean;
}

/** Takes a public key that is pasted or read from a file. */
function GivenKey({ text, onChange, disabled, missing }: GivenKeyProps) {
  const read = async (file: File | null) => {
    if (file !== null) onChange((await file.slice(0, LONGEST).text()).trim());
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Textarea
        w="100%"
        label={words.jwk}
        placeholder={words.jwkExample}
        value={text}
        onChange={(event) => onChange(event.currentTarget.value)}
        maxLength={LONGEST}
        rows={6}
        dir="ltr"
        classNames={{ input: classes.pasted }}
        spellCheck={false}
        autoComplete="off"
        error={missing ? words.jwkNeeded : undefined}
        disabled={disabled}
        required
      />
      <FileButton
        accept=".json,.jwk,.pem,.txt"
        onChange={(file) => void read(file)}
        disabled={disabled}
        inputProps={{ 'aria-label': words.chooseFile }}
      >
        {(props) => (
          <Button {...props} size="xs" variant="default" leftSection={<IconFileUpload size={16} aria-hidden />}>
            {words.chooseFile}
          </Button>
        )}
      </FileButton>
    </Stack>
  );
}

/** Hands over the private key. It is gone when this closes. */
function HandOver({ pair, label, opened, onClose }: { pair: KeyPair; label: string; opened: boolean; onClose: () => void }) {
  const [saved, setSaved] = useState(false);
  const save = () => {
    saveFile(pemName(label), 'application/x-pem-file', [pair.privatePem]);
    setSaved(true);
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={words.handOverTitle}
      closeOnClickOutside={saved}
      closeOnEscape={saved}
      withCloseButton={saved}
    >
      <Stack gap="md">
        <Alert color="orange" data-notice icon={<IconKey aria-hidden />} title={words.onceTitle}>
          {words.onceWords}
        </Alert>
        <Facts facts={[[words.keyId, <Copyable key="kid" value={pair.publicJwk.kid} what={words.keyId} literal />]]} />
        <Group justify="flex-end" gap="sm">
          <Button variant={saved ? 'default' : 'filled'} leftSection={<IconDownload size={18} aria-hidden />} onClick={save} data-autofocus>
            {words.downloadPrivate}
          </Button>
          <Button variant={saved ? 'filled' : 'default'} disabled={!saved} onClick={onClose}>
            {words.handedOver}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
