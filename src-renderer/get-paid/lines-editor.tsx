import { ActionIcon, Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import type { Asset } from '../../src-shared/amounts.ts';
import { MOST_LINES } from '../../src-shared/bills/bill.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { taxRateText } from '../../src-shared/words/sales/tax-rate-text.ts';
import { AmountInput } from '../components/forms/amount-input.tsx';
import { BillTable } from '../components/money/bill-table.tsx';
import type { TaxChoice } from '../components/money/tax-choice.ts';
import { type DraftLine, newDraftLine, typedBill, typedQuantity } from './draft-lines.ts';
import classes from './lines-editor.module.css';

const words = messages.getPaid.lines;

interface LinesEditorProps {
  lines: readonly DraftLine[];
  onLines: (lines: readonly DraftLine[]) => void;
  choice: TaxChoice;
  asset: Asset;
  disabled: boolean;
}

/** The lines of a bill, which the operator types, adds and takes away, and their sum. */
export function LinesEditor({ lines, onLines, choice, asset, disabled }: LinesEditorProps) {
  const counted = typedBill(lines, choice, asset);
  return (
    <fieldset className={classes.lines} disabled={disabled}>
      <legend>{words.legend}</legend>
      {[...lines.entries()].map(([place, line]) => (
        <Line
          key={line.key}
          nth={place + 1}
          line={line}
          onLine={(changed) => onLines(lines.map((one) => (one.key === line.key ? changed : one)))}
          onRemove={lines.length === 1 ? undefined : () => onLines(lines.filter(({ key }) => key !== line.key))}
          {...{ choice, asset }}
        />
      ))}
      <Button
        variant="default"
        leftSection={<IconPlus size={18} aria-hidden />}
        disabled={lines.length >= MOST_LINES}
        onClick={() => onLines([...lines, newDraftLine(choice)])}
      >
        {words.add}
      </Button>
      {counted === undefined ? (
        <Text c="dimmed" size="sm">
          {words.notYet}
        </Text>
      ) : (
        <BillTable bill={{ ...counted.bill, ...counted.amounts, lines: joined(counted) }} asset={asset} />
      )}
    </fieldset>
  );
}

type Counted = NonNullable<ReturnType<typeof typedBill>>;
const joined = ({ bill, amounts }: Counted) =>
  bill.lines.flatMap((line, nth) => {
    const counted = amounts.lines[nth];
    return counted === undefined ? [] : [{ ...line, ...counted }];
  });

interface LineProps extends Pick<LinesEditorProps, 'choice' | 'asset'> {
  nth: number;
  line: DraftLine;
  onLine: (line: DraftLine) => void;
  /** The only line cannot be taken away. */
  onRemove: (() => void) | undefined;
}

function Line({ nth, line, onLine, onRemove, choice, asset }: LineProps) {
  const text = useRef<HTMLInputElement>(null);
  const isFurther = nth > 1;
  // Whoever adds a line goes on typing in it.
  useEffect(() => {
    if (isFurther) text.current?.focus();
  }, [isFurther]);
  const set = (member: 'text' | 'quantity' | 'price' | 'rate') => (value: string) => onLine({ ...line, [member]: value });
  return (
    <fieldset className={classes.line} data-taxed={choice.rates.length > 0 || undefined} aria-label={words.line({ nth: String(nth) })}>
      <TextInput
        ref={text}
        label={words.text}
        value={line.text}
        maxLength={200}
        onChange={({ currentTarget }) => set('text')(currentTarget.value)}
      />
      <TextInput
        label={words.quantity}
        value={line.quantity}
        inputMode="decimal"
        maxLength={20}
        error={line.quantity !== '' && typedQuantity(line.quantity) === undefined}
        onChange={({ currentTarget }) => set('quantity')(currentTarget.value)}
      />
      <AmountInput label={words.price} asset={asset} value={line.price} onChange={set('price')} />
      {choice.rates.length > 0 && (
        <NativeSelect
          label={words.tax}
          value={line.rate}
          data={[
            { value: '', label: words.noTax },
            ...choice.rates.map(({ id, name, rate }) => ({ value: id, label: `${name} ${taxRateText(rate)}` })),
          ]}
          onChange={({ currentTarget }) => set('rate')(currentTarget.value)}
        />
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        size={36}
        aria-label={words.remove({ nth: String(nth) })}
        disabled={onRemove === undefined}
        onClick={onRemove}
      >
        <IconTrash size={18} aria-hidden />
      </ActionIcon>
    </fieldset>
  );
}
