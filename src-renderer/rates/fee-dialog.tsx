import { Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Pair } from '../../src-shared/operator-contract/exchange/pairs.ts';
import { readTypedNumber } from '../../src-shared/typed-input/typed-amount.ts';
import { plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { DialogFoot } from '../components/forms/dialog-foot.tsx';
import { FieldPair } from '../components/forms/field-pair.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { bpsOf, isCode, percentInputText } from './rate-draft.ts';

const words = messages.pairs.fees;
const { rates, common } = messages;

const AMOUNT = /^(0|[1-9]\d{0,17})(\.\d{1,18})?$/;

const draftOf = (pair: Pair | undefined) => ({
  base: pair?.base ?? '',
  quote: pair?.quote ?? '',
  fixed: plainNumberText(pair?.fee?.fixed ?? '0'),
  share: percentInputText(pair?.fee?.shareBps ?? 0),
  minimum: plainNumberText(pair?.fee?.minimum ?? '0'),
});
type Draft = ReturnType<typeof draftOf>;

/** What the operator typed as plain text. It is undefined when it is no amount, or can be two. */
function plainOf(text: string): string | undefined {
  const typed = readTypedNumber(text);
  return typed.kind === 'value' && AMOUNT.test(typed.value) ? typed.value : undefined;
}

function faultOf(field: 'fixed' | 'minimum', text: string): Partial<Draft> {
  if (plainOf(text) !== undefined) return {};
  const typed = readTypedNumber(text);
  if (typed.kind === 'ambiguous') return { [field]: common.amount.ambiguous(typed.write) };
  return { [field]: words.amountWrong({ example: plainNumberText('0.30'), zero: plainNumberText('0') }) };
}

/** What is wrong with a draft, by its fields. */
const faultsOf = ({ base, quote, fixed, share, minimum }: Draft): Partial<Draft> => ({
  ...(!isCode(base) && { base: rates.codeWrong }),
  ...(!isCode(quote) && { quote: rates.codeWrong }),
  ...(isCode(base) && base === quote && { quote: rates.sameCurrency }),
  ...faultOf('fixed', fixed),
  ...(bpsOf(share) === undefined && { share: rates.spreadWrong }),
  ...faultOf('minimum', minimum),
});

/** Sets the fee of a pair, or changes it. */
export function FeeDialog({ pair, opened, onClose }: { pair: Pair | undefined; opened: boolean; onClose: () => void }) {
  const [draft, setDraft] = useState(() => draftOf(pair));
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const save = useMutation(
    queries.pairs.setFee.mutationOptions({
      onSuccess: async ({ base, quote }) => {
        onClose();
        await report.done(words.saved({ base, quote }), 'rates');
      },
    }),
  );
  const faults = faultsOf(draft);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (Object.keys(faults).length > 0) return;
    const { base, quote, fixed, share, minimum } = draft;
    save.mutate({ base, quote, fixed: plainOf(fixed) ?? '', shareBps: bpsOf(share) ?? 0, minimum: plainOf(minimum) ?? '' });
  };
  const text = (name: keyof Draft, upper = false) => ({
    value: draft[name],
    error: tried && faults[name],
    disabled: save.isPending,
    autoComplete: 'off',
    required: true,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: upper ? value.toUpperCase() : value }),
  });
  const money = { inputMode: 'decimal' as const, maxLength: 37 };
  return (
    <Modal opened={opened} onClose={onClose} title={pair ? words.changeTitle({ base: pair.base, quote: pair.quote }) : words.addTitle}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          {pair === undefined && (
            <FieldPair>
              <TextInput label={rates.base} description={rates.baseHint} data-autofocus maxLength={12} {...text('base', true)} />
              <TextInput label={rates.quote} description={rates.quoteHint} maxLength={12} {...text('quote', true)} />
            </FieldPair>
          )}
          <TextInput label={words.fixed(draft.base)} {...money} {...text('fixed')} />
          <TextInput label={words.share} description={words.shareHint} inputMode="decimal" maxLength={5} {...text('share')} />
          <TextInput label={words.minimum(draft.base)} {...money} {...text('minimum')} />
          <DialogFoot error={save.error} busy={save.isPending} action={words.save} onClose={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
