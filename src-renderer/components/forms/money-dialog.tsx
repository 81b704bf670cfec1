import { Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { type Asset, MAX_MOVED } from '../../../src-shared/amounts.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { outcomeUnknown } from '../../transport/error-text.ts';
import { Facts } from '../text/facts.tsx';
import { AmountInput } from './amount-input.tsx';
import { DialogFoot } from './dialog-foot.tsx';

/** What is typed into a dialog that records moved money. */
interface MoneyForm {
  /** Names what one dialog asks for: however often it is sent, it has one effect. */
  readonly requestId: string;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly note: string;
  readonly setNote: (note: string) => void;
  /** Whether the operator has tried to send it. */
  readonly tried: boolean;
  readonly setTried: (tried: boolean) => void;
  /** What the text says, in smallest units; it is undefined when the text is no amount. */
  readonly value: bigint | undefined;
  /** The value, when that much can be moved. */
  readonly amount: bigint | undefined;
}

/**
 * @param asset it is undefined until the operator has chosen one
 * @param filledIn the text with which the field of the amount begins
 */
export function useMoneyForm(asset: Asset | undefined, filledIn = ''): MoneyForm {
  const [requestId] = useState(() => crypto.randomUUID());
  const [text, setText] = useState(filledIn);
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
  const value = asset && typedAmount(text, asset);
  const amount = value !== undefined && value > 0n && value <= MAX_MOVED ? value : undefined;
  return { requestId, text, setText, note, setNote, tried, setTried, value, amount };
}

interface Operation {
  readonly isPending: boolean;
  readonly error: Error | null;
}

/**
 * Whether the fields are locked: after a lost answer nobody knows whether it was recorded, and only the very same
 * request may be sent again.
 */
export const isFixed = ({ isPending, error }: Operation): boolean => isPending || outcomeUnknown(error);

interface MoneyDialogProps {
  title: string;
  lead: string;
  asset: Asset;
  form: MoneyForm;
  operation: Operation;
  /** The labels of its fields. */
  words: { readonly amount: string; readonly note: string; readonly noteHint?: string };
  /** What is wrong with the amount, apart from being no amount. */
  fault: ReactNode;
  facts: readonly (readonly [name: string, value: string])[];
  /** What the button says. */
  action: string;
  /** Whether a field before the amount is to be filled in first. */
  focusesBefore?: boolean;
  opened: boolean;
  onSubmit: () => void;
  onClose: () => void;
  /** The fields before the amount. */
  children?: ReactNode;
}

/** Asks how much money moved, takes a note, and shows how things stand before and after. */
export function MoneyDialog({ form, operation, focusesBefore = false, onSubmit, onClose, children, ...shown }: MoneyDialogProps) {
  const fixed = isFixed(operation);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.setTried(true);
    onSubmit();
  };
  return (
    <Modal opened={shown.opened} onClose={onClose} title={shown.title} closeOnClickOutside={!operation.isPending}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {shown.lead}
          </Text>
          {children}
          <AmountInput
            label={shown.words.amount}
            asset={shown.asset}
            value={form.text}
            onChange={form.setText}
            error={shown.fault}
            disabled={fixed}
            required
            data-autofocus={focusesBefore ? undefined : true}
          />
          <TextInput
            label={shown.words.note}
            description={shown.words.noteHint}
            value={form.note}
            onChange={(event) => form.setNote(event.currentTarget.value)}
            maxLength={500}
            disabled={fixed}
          />
          {shown.facts.length > 0 && <Facts facts={shown.facts} />}
          <DialogFoot
            error={operation.error}
            busy={operation.isPending}
            action={outcomeUnknown(operation.error) ? messages.common.tryAgain : shown.action}
            onClose={onClose}
          />
        </Stack>
      </form>
    </Modal>
  );
}
