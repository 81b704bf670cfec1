import { Alert, Modal, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { BackupSchedule } from '../../src-shared/operator-contract/backups.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../components/forms/dialog-foot.tsx';
import { FieldPair } from '../components/forms/field-pair.tsx';
import { NewPassphraseInputs, useNewPassphrase } from '../components/forms/new-passphrase.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.settings.backups;
/** In what books in a shared database differ. */
const sharedWords = { ...words, ...messages.settings.sharedBooks };
const SHORTEST = 12;
const MOST_KEPT = 365;
const DAY = 24;
const WEEK = 168;
const PASSPHRASE_WORDS = {
  label: words.passphrase,
  hint: words.passphraseHint,
  again: words.again,
  tooShort: words.passphraseShort,
  differ: words.differ,
};

interface BackupDialogProps {
  /** Whether the dialog makes one backup now or sets the schedule. */
  kind: 'now' | 'schedule';
  /** Whether the books are in a shared database. */
  isShared: boolean;
  schedule: BackupSchedule | null;
  folder: string;
  opened: boolean;
  onClose: () => void;
}

/** Asks for a backup's folder and passphrase, and for a schedule also how often, and how many to keep. */
export function BackupDialog({ kind, isShared, schedule, folder: suggested, opened, onClose }: BackupDialogProps) {
  const said = isShared ? sharedWords : words;
  const [folder, setFolder] = useState(suggested);
  const secret = useNewPassphrase(SHORTEST);
  const [everyHours, setEveryHours] = useState(schedule?.everyHours ?? DAY);
  const [keep, setKeep] = useState<number | string>(schedule?.keep ?? 7);
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const ended = (sentence: string) => ({
    onSuccess: async () => {
      onClose();
      await report.done(sentence, 'backups');
    },
  });
  const make = useMutation(queries.backups.make.mutationOptions(ended(words.made)));
  const set = useMutation(queries.backups.setSchedule.mutationOptions(ended(words.scheduled)));
  const operation = kind === 'now' ? make : set;
  const fault = {
    folder: folder.trim() === '' ? words.folderNeeded : undefined,
    keep: Number.isInteger(keep) && Number(keep) >= 1 && Number(keep) <= MOST_KEPT ? undefined : words.keepNeeded,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fault.folder !== undefined || secret.tooShort || secret.differs) return;
    const wanted = { folder: folder.trim(), passphrase: secret.passphrase };
    if (kind === 'now') make.mutate(wanted);
    else if (fault.keep === undefined) set.mutate({ ...wanted, everyHours, keep: Number(keep) });
  };
  const choices = [...new Set([DAY, WEEK, everyHours])].map((hours) => ({ value: String(hours), label: words.everyHours(hours) }));
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={kind === 'now' ? words.makeTitle : words.scheduleTitle}
      closeOnClickOutside={secret.passphrase === '' && !operation.isPending}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {kind === 'schedule' && <Text>{said.scheduleWords}</Text>}
          <TextInput
            label={words.folder}
            description={said.folderHint}
            value={folder}
            onChange={(event) => setFolder(event.currentTarget.value)}
            error={tried ? fault.folder : undefined}
            spellCheck={false}
            maxLength={4096}
            required
          />
          {kind === 'schedule' && (
            <FieldPair>
              <Select
                label={words.every}
                data={choices}
                value={String(everyHours)}
                onChange={(value) => setEveryHours(Number(value ?? DAY))}
                allowDeselect={false}
              />
              <NumberInput
                label={words.keep}
                value={keep}
                onChange={setKeep}
                min={1}
                max={MOST_KEPT}
                allowDecimal={false}
                error={tried ? fault.keep : undefined}
                hideControls
              />
            </FieldPair>
          )}
          {kind === 'schedule' && (
            <Text size="sm" c="dimmed">
              {words.keepHint}
            </Text>
          )}
          <NewPassphraseInputs value={secret} tried={tried} words={PASSPHRASE_WORDS} data-autofocus />
          <Alert color="orange" data-notice icon={<IconKey aria-hidden />}>
            {words.loss}
          </Alert>
          <DialogFoot
            error={operation.error}
            busy={operation.isPending}
            action={kind === 'now' ? words.make : words.saveSchedule}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
