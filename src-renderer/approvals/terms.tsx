import { Button, Stack, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { type Amount, type Asset, toDecimal } from '../../src-shared/amounts.ts';
import type { AccessRight } from '../../src-shared/operator-contract/access.ts';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';
import { spendingLimits, withLimits } from '../../src-shared/spending-right.ts';
import { typedAmount } from '../../src-shared/typed-input/typed-amount.ts';
import { amountText, plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dayInputText, endOfDay } from '../../src-shared/words/day-input.ts';
import { AmountInput, amountFault } from '../components/forms/amount-input.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { type Unlimited, UnlimitedChoice, useUnlimited } from './unlimited.tsx';
import type { TermsAnswer } from './use-decision.ts';

const words = messages.approvals;

type Kind = 'debit' | 'receive';

/** One amount that was asked for, and the amount that the operator allows instead. */
interface Lowered {
  kind: Kind;
  asked: Amount;
  text: string;
  setText: (text: string) => void;
  fault: string | undefined;
  /** The amount. It is undefined while the text is no amount that can be allowed. */
  value: bigint | undefined;
}

/** The operator's own terms for a request. */
export interface Terms {
  unlimited: Unlimited;
  amounts: readonly Lowered[];
  /** The last day, in the form of a date field; it is empty when there is no end. */
  lastDay: string;
  setLastDay: (text: string) => void;
  lastDayFault: string | undefined;
  /** The terms that the approval carries. They are undefined while the choice is not complete. */
  answer: TermsAnswer | undefined;
  /** The rights that the app would get, when they are not those it asked for. */
  granted: { access: AccessRight[]; expiresAt: Date | undefined } | undefined;
}

/** The operator's terms for a request, beside approving or denying it. */
export function useTerms(request: ApprovalRequest): Terms {
  const { access } = request;
  const unlimited = useUnlimited(request);
  const limits = spendingLimits(access);
  // A debit amount that bounds nothing is not there to be lowered: the operator sets another one in its place.
  const debit = useLowered('debit', request.unlimited ? null : (limits?.debitAmount ?? null));
  const receive = useLowered('receive', limits?.receiveAmount ?? null);
  const amounts = [debit, receive].filter((one) => one !== undefined);
  const [lastDay, setLastDay] = useState('');
  const now = useNodeTime(60_000);
  const expiresAt = endOfDay(lastDay);
  const lastDayFault = expiresAt !== undefined && expiresAt <= now ? words.lastDayPast : undefined;

  const complete = unlimited.answer !== undefined && amounts.every(({ value }) => value !== undefined) && lastDayFault === undefined;
  const changes = changesOf({ debitLimit: unlimited.answer?.debitLimit ?? lowered(debit), receiveLimit: lowered(receive), expiresAt });
  const granted = withLimits(access, {
    debit: limitIn(unlimited.asset ?? debit?.asked, changes.debitLimit),
    receive: limitIn(receive?.asked, changes.receiveLimit),
  });
  return {
    unlimited,
    amounts,
    lastDay,
    setLastDay,
    lastDayFault,
    answer: complete ? { ...unlimited.answer, ...changes } : undefined,
    granted: complete && Object.keys(changes).length > 0 ? { access: granted, expiresAt } : undefined,
  };
}

/** The operator's amount, when it is less than what was asked for. */
const lowered = (one: Lowered | undefined): bigint | undefined =>
  one?.value !== undefined && one.value < one.asked.value ? one.value : undefined;

/** The terms that differ from the request. */
const changesOf = ({ debitLimit, receiveLimit, expiresAt }: TermsAnswer): TermsAnswer => ({
  ...(debitLimit !== undefined && { debitLimit }),
  ...(receiveLimit !== undefined && { receiveLimit }),
  ...(expiresAt !== undefined && { expiresAt }),
});

const limitIn = (asset: Asset | undefined, value: bigint | undefined): Amount | undefined =>
  asset && value !== undefined ? { assetCode: asset.assetCode, assetScale: asset.assetScale, value } : undefined;

function useLowered(kind: Kind, asked: Amount | null): Lowered | undefined {
  const [text, setText] = useState(asked === null ? '' : plainNumberText(toDecimal(asked.value, asked.assetScale)));
  if (asked === null) return undefined;
  const value = typedAmount(text, asked);
  const fault =
    value === undefined || value === 0n
      ? (amountFault(text, asked) ?? words.amountNeeded)
      : value > asked.value
        ? words.onlyLower({ amount: amountText(asked) })
        : undefined;
  return { kind, asked, text, setText, fault, value: fault === undefined ? value : undefined };
}

/**
 * The operator's own terms. They are folded away at first, because by default the operator allows what was asked for.
 */
export function TermsChoice({ request, terms }: { request: ApprovalRequest; terms: Terms }) {
  const [changing, setChanging] = useState(false);
  const region = useId();
  const now = useNodeTime(60_000);
  const Arrow = changing ? IconChevronUp : IconChevronDown;
  return (
    <Stack gap="md">
      {request.unlimited && <UnlimitedChoice request={request} state={terms.unlimited} />}
      <Button
        variant="default"
        size="xs"
        rightSection={<Arrow size={16} aria-hidden />}
        aria-expanded={changing}
        aria-controls={region}
        onClick={() => setChanging(!changing)}
        style={{ alignSelf: 'flex-start' }}
      >
        {terms.amounts.length > 0 ? words.changeAmountsAndEnd : words.changeEnd}
      </Button>
      <div id={region} hidden={!changing}>
        <Stack gap="md">
          {terms.amounts.map(({ kind, asked, text, setText, fault }) => (
            <AmountInput
              key={kind}
              label={words.lower[kind]({ code: asked.assetCode })}
              description={words.askedFor({ amount: amountText(asked) })}
              asset={asked}
              value={text}
              onChange={setText}
              error={fault}
            />
          ))}
          <TextInput
            type="date"
            label={words.lastDay}
            description={words.lastDayHint}
            value={terms.lastDay}
            min={dayInputText(now)}
            onChange={(event) => terms.setLastDay(event.currentTarget.value)}
            error={terms.lastDayFault}
          />
        </Stack>
      </div>
    </Stack>
  );
}
