import { Modal, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { CurrentRate } from '../../src-shared/operator-contract/exchange/rates.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../components/forms/dialog-foot.tsx';
import { FieldPair } from '../components/forms/field-pair.tsx';
import { nodeNow } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { draftOf, faultsOf, type RateDraft, rateOf } from './rate-draft.ts';

const words = messages.rates;

/** Adds a rate or renews one. The time of a saved rate is now. */
export function RateDialog({ rate, opened, onClose }: { rate: CurrentRate | undefined; opened: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState<RateDraft>(() => draftOf(rate));
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const pair = words.pair({ base: draft.base, quote: draft.quote });
  const save = useMutation(
    queries.rates.set.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.saved({ pair }), 'rates');
      },
    }),
  );
  const faults = tried ? faultsOf(draft) : {};
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const read = rateOf(draft, nodeNow());
    if (read !== undefined) save.mutate(read);
  };
  const text = (name: keyof RateDraft) => ({
    value: draft[name],
    error: faults[name],
    disabled: save.isPending,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => setDraft({ ...draft, [name]: event.currentTarget.value }),
  });
  const code = (name: 'base' | 'quote') => ({
    ...text(name),
    maxLength: 12,
    required: true,
    onChange: (event: { currentTarget: { value: string } }) => setDraft({ ...draft, [name]: event.currentTarget.value.toUpperCase() }),
  });
  const known = rate !== undefined;
  const lives = Object.entries(words.lives).map(([value, label]) => ({ value, label }));
  return (
    <Modal opened={opened} onClose={onClose} title={known ? words.editTitle({ pair }) : words.addTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {!known && (
            <FieldPair>
              <TextInput label={words.base} description={words.baseHint} data-autofocus {...code('base')} />
              <TextInput label={words.quote} description={words.quoteHint} {...code('quote')} />
            </FieldPair>
          )}
          <TextInput
            label={words.rateLabel({ base: draft.base || '…', quote: draft.quote || '…' })}
            description={words.rateHint}
            inputMode="decimal"
            maxLength={40}
            required
            data-autofocus={known || undefined}
            {...text('rate')}
          />
          <TextInput label={words.spread} description={words.spreadHint} inputMode="decimal" maxLength={5} {...text('spread')} />
          <TextInput label={words.source} description={words.sourceHint} maxLength={200} required {...text('source')} />
          <Select
            label={words.life}
            description={words.lifeHint}
            value={draft.life}
            onChange={(life) => life !== null && setDraft({ ...draft, life })}
            allowDeselect={false}
            disabled={save.isPending}
            data={
              lives.some(({ value }) => value === draft.life)
                ? lives
                : [...lives, { value: draft.life, label: words.seconds({ seconds: draft.life }) }]
            }
          />
          <DialogFoot error={save.error} busy={save.isPending} action={words.save} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
