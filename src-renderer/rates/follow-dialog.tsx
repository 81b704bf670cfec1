import { Checkbox, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Following, Pair } from '../../src-shared/operator-contract/exchange/pairs.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../components/forms/dialog-foot.tsx';
import { FieldPair } from '../components/forms/field-pair.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { bpsOf, isCode, percentInputText } from './rate-draft.ts';

const words = messages.pairs;
const { rates } = messages;

interface Draft {
  base: string;
  quote: string;
  /** What the node keeps of the rate, in per cent. */
  spread: string;
  jump: string;
  /** The life of a rate, in seconds. */
  life: string;
  fallsBack: boolean;
}

const draftOf = (pair: Pair | undefined): Draft => {
  const followed = pair?.followed;
  const { base = '', quote = '' } = pair ?? {};
  if (!followed) return { base, quote, spread: percentInputText(50), jump: '5', life: '432000', fallsBack: false };
  const { spreadBps, maxJumpBps, maxAgeSeconds, fallsBack } = followed;
  return { base, quote, spread: percentInputText(spreadBps), jump: percentInputText(maxJumpBps), life: `${maxAgeSeconds}`, fallsBack };
};

/** What is wrong with a draft, by its fields. */
const faultsOf = ({ base, quote, spread, jump }: Draft) => ({
  ...(!isCode(base) && { base: rates.codeWrong }),
  ...(!isCode(quote) && { quote: rates.codeWrong }),
  ...(isCode(base) && base === quote && { quote: rates.sameCurrency }),
  ...(bpsOf(spread) === undefined && { spread: rates.spreadWrong }),
  ...(!bpsOf(jump) && { jump: words.jumpWrong }),
});

const followingOf = ({ base, quote, spread, jump, life, fallsBack }: Draft): Following => ({
  ...{ base, quote, fallsBack },
  spreadBps: bpsOf(spread) ?? 0,
  maxJumpBps: bpsOf(jump) ?? 0,
  maxAgeSeconds: Number(life),
});

/** Lets a pair follow the sources, or changes how it does. */
export function FollowDialog({ pair, opened, onClose }: { pair: Pair | undefined; opened: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(pair));
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const save = useMutation(
    queries.pairs.follow.mutationOptions({
      onSuccess: async ({ base, quote }) => {
        onClose();
        await report.done(words.saved({ base, quote }), 'rates');
      },
    }),
  );
  const all: Partial<Record<keyof Draft, string>> = faultsOf(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(all).length === 0) save.mutate(followingOf(draft));
  };
  const text = (name: 'base' | 'quote' | 'spread' | 'jump', upper = false) => ({
    value: draft[name],
    error: tried && all[name],
    disabled: save.isPending,
    autoComplete: 'off',
    required: true,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: upper ? value.toUpperCase() : value }),
  });
  const lives = Object.entries(words.lives).map(([value, label]) => ({ value, label }));
  const other = lives.some(({ value }) => value === draft.life)
    ? []
    : [{ value: draft.life, label: rates.seconds({ seconds: draft.life }) }];
  return (
    <Modal opened={opened} onClose={onClose} title={pair ? words.changeTitle({ base: pair.base, quote: pair.quote }) : words.followTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {pair === undefined && (
            <FieldPair>
              <TextInput label={rates.base} description={rates.baseHint} data-autofocus maxLength={12} {...text('base', true)} />
              <TextInput label={rates.quote} description={rates.quoteHint} maxLength={12} {...text('quote', true)} />
            </FieldPair>
          )}
          <TextInput label={rates.spread} description={rates.spreadHint} inputMode="decimal" maxLength={5} {...text('spread')} />
          <TextInput label={words.jump} description={words.jumpHint} inputMode="decimal" maxLength={5} {...text('jump')} />
          <Select
            label={words.life}
            description={words.lifeHint}
            value={draft.life}
            onChange={(life) => life !== null && setDraft({ ...draft, life })}
            allowDeselect={false}
            data={[...lives, ...other]}
          />
          <Checkbox
            label={words.handLabel}
            checked={draft.fallsBack}
            onChange={({ currentTarget: { checked } }) => setDraft({ ...draft, fallsBack: checked })}
          />
          <Text size="sm" c="dimmed">
            {words.consequence}
          </Text>
          <DialogFoot error={save.error} busy={save.isPending} action={words.save} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
