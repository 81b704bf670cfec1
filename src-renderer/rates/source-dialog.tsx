import { Alert, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Said } from '../../src-shared/operator-contract/exchange/rate-sources.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../components/forms/dialog-foot.tsx';
import { FieldPair } from '../components/forms/field-pair.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { draftOf, faultsOf, placeOf, type SourceDraft, type SourceField } from './source-draft.ts';

const words = messages.rateSources;
const { rates } = messages;

/** How many rates of a source the test shows. */
const SHOWN = 5;

/** Adds a source. What it says now is shown before it can be switched on. */
export function SourceDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf('ecb'));
  const [requestId] = useState(() => crypto.randomUUID());
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const test = useMutation(queries.rateSources.test.mutationOptions());
  const add = useMutation(
    queries.rateSources.add.mutationOptions({
      onSuccess: async ({ name }) => {
        onClose();
        await report.done(words.added({ name }), 'rates');
      },
    }),
  );
  const faults = faultsOf(draft);
  const isWhole = Object.keys(faults).length === 0;
  const isTested = test.data?.said != null;
  const change = (next: SourceDraft) => {
    setDraft(next);
    // What was tested is not what would be added any more.
    test.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!isWhole) return;
    const place = placeOf(draft);
    if (isTested) add.mutate({ requestId, name: draft.name.trim(), place, everySeconds: Number(draft.every), isOn: true });
    else test.mutate({ place });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={words.addTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Select
            label={words.kind}
            data={Object.entries(words.kinds).map(([value, label]) => ({ value, label }))}
            value={draft.kind}
            onChange={(kind) => kind !== null && change(draftOf(kind === 'ecb' ? 'ecb' : 'json'))}
            allowDeselect={false}
          />
          <Fields draft={draft} faults={tried ? faults : {}} onChange={change} />
          <Select
            label={words.every}
            data={Object.entries(words.everies).map(([value, label]) => ({ value, label }))}
            value={draft.every}
            onChange={(every) => every !== null && setDraft({ ...draft, every })}
            allowDeselect={false}
          />
          {test.data === undefined && <Text c="dimmed">{words.testFirst}</Text>}
          {test.data?.problem != null && (
            <Alert color="red" role="alert">
              {words.problem(test.data.problem)}
            </Alert>
          )}
          {test.data?.said != null && <Preview said={test.data.said} />}
          <DialogFoot
            error={test.error ?? add.error}
            busy={test.isPending || add.isPending}
            action={isTested ? words.switchOn : words.test}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}

interface FieldsProps {
  draft: SourceDraft;
  faults: Partial<Record<SourceField, string>>;
  onChange: (draft: SourceDraft) => void;
}

function Fields({ draft, faults, onChange }: FieldsProps) {
  const text = (name: SourceField, { upper = false, optional = false } = {}) => ({
    value: draft[name],
    error: faults[name],
    autoComplete: 'off',
    required: !optional,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      onChange({ ...draft, [name]: upper ? value.toUpperCase() : value }),
  });
  return (
    <>
      <TextInput label={words.name} description={words.nameHint} maxLength={100} {...text('name')} />
      <TextInput label={words.url} description={words.urlHint} maxLength={2_000} inputMode="url" {...text('url')} />
      {draft.kind === 'json' && (
        <>
          <FieldPair>
            <TextInput label={rates.base} description={rates.baseHint} maxLength={12} {...text('base', { upper: true })} />
            <TextInput label={rates.quote} description={rates.quoteHint} maxLength={12} {...text('quote', { upper: true })} />
          </FieldPair>
          <TextInput label={words.path} description={words.pathHint} maxLength={200} {...text('path')} />
          <TextInput label={words.datePath} description={words.datePathHint} maxLength={200} {...text('datePath', { optional: true })} />
        </>
      )}
    </>
  );
}

function Preview({ said: { base, rates: told, asOf, dated } }: { said: Said }) {
  return (
    <Alert color="pine" title={words.tested} role="status">
      {told.slice(0, SHOWN).map(({ quote, rate }) => (
        <Text size="sm" key={quote}>
          {words.says({ base, quote, rate })}
        </Text>
      ))}
      {told.length > SHOWN && <Text size="sm">{words.more({ count: told.length - SHOWN })}</Text>}
      <Text size="sm">{dated ? words.from(asOf) : words.undated}</Text>
    </Alert>
  );
}
