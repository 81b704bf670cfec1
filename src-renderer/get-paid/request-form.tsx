import { Button, NativeSelect, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import type { PayableAccount, PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import { isReturnUrl, LONGEST_RETURN_URL } from '../../src-shared/shop/return-url.ts';
import { typedAmount } from '../../src-shared/typed-input/typed-amount.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dayInputText, startOf } from '../../src-shared/words/day-input.ts';
import { PayableAccountSelect } from '../components/forms/account-select.tsx';
import { AmountInput, amountFault } from '../components/forms/amount-input.tsx';
import { FieldPair } from '../components/forms/field-pair.tsx';
import { type TaxChoice, useTaxChoice } from '../components/money/tax-choice.ts';
import { Failure } from '../components/page/failure.tsx';
import { outcomeUnknown } from '../transport/error-text.ts';
import { nodeNow } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { type DraftLine, newDraftLine, typedBill } from './draft-lines.ts';
import { LinesEditor } from './lines-editor.tsx';

const words = messages.getPaid;
const HOUR = 60 * 60_000;
const LIVES = { never: undefined, hour: HOUR, day: 24 * HOUR, week: 7 * 24 * HOUR, month: 30 * 24 * HOUR } as const;
/** The most characters of the operator's texts. */
const LENGTHS = { description: 500, reference: 200, note: 500 } as const;
type Life = keyof typeof LIVES;
const isLife = (text: string): text is Life => Object.hasOwn(LIVES, text);

interface RequestFormProps {
  account: PayableAccount;
  onAccount: (account: PayableAccount) => void;
  onCreated: (request: PaymentRequest) => void;
}

/** The input so far. */
interface Draft {
  kind: 'amount' | 'lines';
  text: string;
  lines: readonly DraftLine[];
  said: { description: string; reference: string; note: string };
  life: Life;
  /** A day such as `2026-03-14`, or an empty text. */
  dueDay: string;
  /** The address as it was typed, and whether its fault is told: nobody is told of one in the middle of typing. */
  back: { url: string; isTold: boolean };
}

const emptyDraft = (): Draft => ({
  ...{ kind: 'amount', text: '', lines: [], life: 'never', dueDay: '' },
  back: { url: '', isTold: false },
  said: { description: '', reference: '', note: '' },
});

/** The amount to charge, lines, or the payer's choice. It is undefined while it is not whole. */
function chargedBy({ kind, text, lines }: Draft, choice: TaxChoice, account: PayableAccount) {
  if (kind === 'lines') {
    const counted = typedBill(lines, choice, account);
    return counted && { amount: counted.amounts.total, bill: { ...counted.bill, lines: [...counted.bill.lines] } };
  }
  if (text.trim() === '') return {};
  const amount = typedAmount(text, account);
  return amount === undefined || amount === 0n || amount > MAX_MOVED ? undefined : { amount };
}

/** The typed address to which the payer goes on. Without one it is an empty text, and a wrong one is undefined. */
function wayBackOf({ back }: Draft): string | undefined {
  const url = back.url.trim();
  return url === '' || isReturnUrl(url) ? url : undefined;
}

/** Makes a payment request. However often one form is sent, it makes one request. */
export function RequestForm({ account, onAccount, onCreated }: RequestFormProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const choice = useTaxChoice();
  const [draft, setDraft] = useState(emptyDraft);
  const set = (changed: Partial<Draft>) => setDraft({ ...draft, ...changed });
  const [sent, setSent] = useState<{ expiresAt: Date | undefined }>();
  const report = useReporting();
  const create = useMutation(queries.requests.create.mutationOptions({ onSuccess: onCreated, onError: report.failed }));
  // After a lost answer nobody knows whether the request was made. Only the very same one may be sent again.
  const fixed = create.isPending || outcomeUnknown(create.error);
  const charged = chargedBy(draft, choice, account);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const returnUrl = wayBackOf(draft);
    if (returnUrl === undefined) set({ back: { ...draft.back, isTold: true } });
    if (charged === undefined || returnUrl === undefined) return;
    const ms = LIVES[draft.life];
    const { expiresAt } = fixed && sent ? sent : { expiresAt: ms === undefined ? undefined : new Date(nodeNow().getTime() + ms) };
    setSent({ expiresAt });
    const dueAt = startOf(draft.dueDay, 1);
    create.mutate({
      requestId,
      accountId: account.id,
      ...charged,
      ...Object.fromEntries(Object.entries(draft.said).filter(([, one]) => one.trim() !== '')),
      ...(expiresAt && { expiresAt }),
      // The day is over a millisecond before the next one begins.
      ...(dueAt && { dueAt: new Date(dueAt.getTime() - 1) }),
      ...(returnUrl !== '' && { returnUrl }),
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Charged draft={draft} set={set} {...{ account, choice, fixed }} />
        <PayableAccountSelect
          label={words.account}
          account={account}
          onAccount={(chosen) => chosen && onAccount(chosen)}
          allowDeselect={false}
          disabled={fixed}
        />
        <Particulars draft={draft} set={set} fixed={fixed} />
        <Failure error={create.error} />
        <Button type="submit" loading={create.isPending} size="md" disabled={draft.kind === 'lines' && charged === undefined}>
          {outcomeUnknown(create.error) ? messages.common.tryAgain : words.create}
        </Button>
      </Stack>
    </form>
  );
}

interface PartProps {
  draft: Draft;
  set: (changed: Partial<Draft>) => void;
  fixed: boolean;
}

/** The field of one amount, or the lines. */
function Charged({ draft, set, account, choice, fixed }: PartProps & { account: PayableAccount; choice: TaxChoice }) {
  const { kind, text, lines } = draft;
  const fault = text.trim() !== '' && typedAmount(text, account) === 0n ? words.amountZero : amountFault(text, account);
  return (
    <>
      <SegmentedControl
        aria-label={words.kind.label}
        data={[
          { value: 'amount', label: words.kind.amount },
          { value: 'lines', label: words.kind.lines },
        ]}
        value={kind}
        onChange={(chosen) =>
          // The first line begins with the shop's default tax rate, which is known by now.
          set({ kind: chosen === 'lines' ? 'lines' : 'amount', lines: lines.length === 0 ? [newDraftLine(choice)] : lines })
        }
        disabled={fixed}
      />
      {kind === 'lines' ? (
        <LinesEditor lines={lines} onLines={(changed) => set({ lines: changed })} choice={choice} asset={account} disabled={fixed} />
      ) : (
        <AmountInput
          label={words.amount}
          description={words.amountHint}
          asset={account}
          value={text}
          onChange={(typed) => set({ text: typed })}
          error={fault}
          disabled={fixed}
          size="lg"
          isFirst
        />
      )}
    </>
  );
}

/** The fields for the words of the request, for the time to pay, and for its end. */
function Particulars({ draft, set, fixed }: PartProps) {
  const { said, life, dueDay } = draft;
  const line = (name: keyof typeof LENGTHS) => (
    <TextInput
      label={words[name]}
      description={words[`${name}Hint`]}
      value={said[name]}
      onChange={({ currentTarget: { value } }) => set({ said: { ...said, [name]: value } })}
      maxLength={LENGTHS[name]}
      disabled={fixed}
    />
  );
  return (
    <>
      {line('description')}
      <FieldPair>
        <TextInput
          type="date"
          label={words.due}
          description={words.dueHint}
          value={dueDay}
          min={dayInputText(nodeNow())}
          onChange={({ currentTarget: { value } }) => set({ dueDay: value })}
          disabled={fixed}
        />
        <NativeSelect
          label={words.expiry}
          description={words.expiryHint}
          data={Object.entries(words.expiries).map(([key, label]) => ({ value: key, label }))}
          value={life}
          onChange={({ currentTarget }) => isLife(currentTarget.value) && set({ life: currentTarget.value })}
          disabled={fixed}
        />
      </FieldPair>
      <FieldPair>
        {line('reference')}
        {line('note')}
      </FieldPair>
      <WayBack draft={draft} set={set} fixed={fixed} />
    </>
  );
}

/** The field for the page of the shop to which the page of the payment leads when it is over. */
function WayBack({ draft, set, fixed }: PartProps) {
  const { back } = draft;
  return (
    <TextInput
      type="url"
      label={words.wayBack}
      description={words.wayBackHint}
      dir="ltr"
      value={back.url}
      onChange={({ currentTarget: { value } }) => set({ back: { url: value, isTold: false } })}
      onBlur={() => set({ back: { ...back, isTold: true } })}
      error={back.isTold && wayBackOf(draft) === undefined ? words.wayBackWrong : undefined}
      maxLength={LONGEST_RETURN_URL}
      disabled={fixed}
    />
  );
}
