import { Button, Stack, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { type Amount, fromDecimal, toDecimal } from '../../src-shared/amounts.ts';
import type { AccessRight, ApprovalRequest } from '../../src-shared/operator-contract/access.ts';
import { spendingLimits, withLimits } from '../../src-shared/spending-right.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dayInputText, endOfDay } from '../../src-shared/words/day-input.ts';
import { AmountInput, amountFault } from '../components/forms/amount-input.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { type Unlimited, UnlimitedChoice, useUnlimited } from './unlimited.tsx';
import type { TermsAnswer } from './use-decision.ts';

const words = messages.approvals;

type Kind = 'debit' | 'receive';

/** One amount that was asked for, and what the operator makes of it. */
interface Lowered {
  kind: Kind;
  asked: Amount;
  text: string;
  setText: (text: string) => void;
  fault: string | undefined;
  /** Undefined while what is typed is no amount that can be allowed. */
  value: bigint | undefined;
}

/** What the operator makes of the terms that were asked for. */
export interface Terms {
  unlimited: Unlimited;
  amounts: readonly Lowered[];
  /** The last day, as a date field holds it; empty for no end. */
  lastDay: string;
  setLastDay: (text: string) => void;
  lastDayFault: string | undefined;
  /** What goes with the approval; undefined while the choice is not complete. */
  answer: TermsAnswer | undefined;
  /** What the app would get, when that is not what it asked for. */
  granted: { access: AccessRight[]; expiresAt: Date | undefined } | undefined;
}

export function useTerms(request: ApprovalRequest): Terms {
  const { access } = request;
  const unlimited = useUnlimited(request);
  const limits = spendingLimits(access);
  const debit = useLowered('debit', limits?.debitAmount ?? null);
  const receive = useLowered('receive', limits?.receiveAmount ?? null);
  const amounts = [debit, receive].filter((one) => one !== undefined);
  const [lastDay, setLastDay] = useState('');
  const now = useNodeTime(60_000);
  const expiresAt = endOfDay(lastDay);
  const lastDayFault = expiresAt !== undefined && expiresAt <= now ? words.lastDayPast : undefined;

  const complete = unlimited.answer !== undefined && amounts.every(({ value }) => value !== undefined) && lastDayFault === undefined;
  const lowered = (one: Lowered | undefined) => (one?.value !== undefined && one.value < one.asked.value ? one.value : undefined);
  const [debitLimit, receiveLimit] = [unlimited.answer?.debitLimit ?? lowered(debit), lowered(receive)];
  const answer: TermsAnswer | undefined = complete
    ? {
        ...unlimited.answer,
        ...(debitLimit !== undefined && { debitLimit }),
        ...(receiveLimit !== undefined && { receiveLimit }),
        ...(expiresAt !== undefined && { expiresAt }),
      }
    : undefined;
  const changed = debitLimit !== undefined || receiveLimit !== undefined || expiresAt !== undefined;
  const debitAsset = unlimited.asset ?? debit?.asked;
  const granted = withLimits(access, {
    debit: debitLimit !== undefined && debitAsset !== undefined ? { ...amountOf(debitAsset), value: debitLimit } : undefined,
    receive: receiveLimit !== undefined && receive !== undefined ? { ...receive.asked, value: receiveLimit } : undefined,
  });
  return {
    unlimited,
    amounts,
    lastDay,
    setLastDay,
    lastDayFault,
    answer,
    granted: answer !== undefined && changed ? { access: granted, expiresAt } : undefined,
  };
}

const amountOf = ({ assetCode, assetScale }: Pick<Amount, 'assetCode' | 'assetScale'>) => ({ assetCode, assetScale });

function useLowered(kind: Kind, asked: Amount | null): Lowered | undefined {
  const [text, setText] = useState(asked === null ? '' : toDecimal(asked.value, asked.assetScale));
  if (asked === null) return undefined;
  const value = fromDecimal(text, asked.assetScale);
  const fault =
    value === undefined || value === 0n
      ? (amountFault(text, asked) ?? words.amountNeeded)
      : value > asked.value
        ? words.onlyLower(amountText(asked))
        : undefined;
  return { kind, asked, text, setText, fault, value: fault === undefined ? value : undefined };
}

/** The operator's own terms: out of the way until wanted, because what was asked for is what is allowed by default. */
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
              label={words.lower[kind](asked.assetCode)}
              description={words.askedFor(amountText(asked))}
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
