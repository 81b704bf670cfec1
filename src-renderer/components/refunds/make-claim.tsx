import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { toDecimal } from '../../../src-shared/amounts.ts';
import { CLAIM_DAYS } from '../../../src-shared/claims/claim-findings.ts';
import type { Allowance } from '../../../src-shared/operator-contract/payments/refunds.ts';
import type { AmountValue } from '../../../src-shared/operator-contract/values.ts';
import { amountText, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { waitsForSecond } from '../../transport/error-text.ts';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { isFixed, MoneyDialog, useMoneyForm } from '../forms/money-dialog.tsx';
import { leastOf, ownLimit, useTooMuch } from './allowance.ts';

const words = messages.claims;
const { refund } = messages.payments;

/** A received payment of which somebody unknown may have paid a part. */
interface Claimable {
  id: string;
  accountName: string;
}

/** Lets a person make a claim link, while there is something that nobody who is known has paid. */
export function MakeClaim({ payment }: { payment: Claimable }) {
  const [asking, { open, close }] = useDisclosure(false);
  // Each time the dialog opens it asks for something new, with a request id of its own.
  const [times, setTimes] = useState(0);
  const input = { paymentId: payment.id };
  const known = useQuery(queries.claims.of.queryOptions({ input }));
  const refunds = useQuery(queries.refunds.of.queryOptions({ input }));
  const allowance = refunds.data?.allowance;
  const most = known.data?.claimable;
  const isOpen = known.data?.claims.some(({ state }) => state === 'open' || state === 'deciding') === true;
  if (allowance?.refusal !== null || most === undefined || isOpen || (most.value === 0n && !asking)) return null;
  const begin = () => {
    setTimes(times + 1);
    open();
  };
  return (
    <>
      <Button variant="default" onClick={begin}>
        {words.offer}
      </Button>
      <ClaimDialog key={times} payment={payment} most={most} allowance={allowance} opened={asking} onClose={close} />
    </>
  );
}

interface ClaimDialogProps {
  payment: Claimable;
  /** The most that a claim link may give back. */
  most: AmountValue;
  allowance: Allowance;
  opened: boolean;
  onClose: () => void;
}

/** Asks how much the link gives back, and why. All of it is filled in. */
function ClaimDialog({ payment, most, allowance, opened, onClose }: ClaimDialogProps) {
  const least = leastOf(most.value, allowance);
  const form = useMoneyForm(most, least === 0n ? '' : plainNumberText(toDecimal(least, most.assetScale)));
  const { requestId, text, note, tried, value, amount } = form;
  const report = useReporting();
  const make = useMutation(
    queries.claims.make.mutationOptions({
      onSuccess: async () => {
        onClose();
        await report.done(words.made, 'payments');
      },
      onError: (error) => {
        if (waitsForSecond(error)) onClose();
        report.failed(error);
      },
    }),
  );
  const tooMuch = useTooMuch(allowance, most)(amount);
  const fixed = isFixed(make);
  const fault = () => {
    if (!fixed && tooMuch !== undefined) return tooMuch;
    const isEmpty = text.trim() === '' ? tried : value === 0n;
    return isEmpty ? refund.amountNeeded({ example: amountText(most) }) : undefined;
  };
  const submit = () => {
    if (amount === undefined || (!fixed && tooMuch !== undefined)) return;
    make.mutate({ requestId, paymentId: payment.id, amount, reason: note.trim() });
  };
  return (
    <MoneyDialog
      title={words.offer}
      lead={`${words.lead({ account: inertText(payment.accountName) })} ${words.ends({ days: String(CLAIM_DAYS) })}`}
      asset={most}
      form={form}
      operation={make}
      words={{ amount: refund.amount, note: refund.reason, noteHint: refund.reasonHint }}
      fault={fault()}
      facts={[[words.most, amountText(most)], ...ownLimit(allowance)]}
      action={amount === undefined ? words.offer : words.confirm({ amount: amountText({ ...most, value: amount }) })}
      opened={opened}
      onSubmit={submit}
      onClose={onClose}
    />
  );
}
