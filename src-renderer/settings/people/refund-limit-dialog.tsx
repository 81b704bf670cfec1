import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Asset, MAX_MOVED, toDecimal } from '../../../src-shared/amounts.ts';
import type { RefundLimit } from '../../../src-shared/operator-contract/payments/refunds.ts';
import type { LimitedRole } from '../../../src-shared/people/roles.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { amountText, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { AmountInput } from '../../components/forms/amount-input.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { LimitDialog } from './limit-parts.tsx';

const words = messages.people.limits;

interface Props {
  role: LimitedRole;
  asset: Asset;
  /** The limit as it is. It is undefined when there is none. */
  limit: RefundLimit | undefined;
  onClose: () => void;
}

/** Sets how much a role may refund in a currency, or takes the limit away. */
export function RefundLimitDialog({ role, asset, limit, onClose }: Props) {
  const { assetCode, assetScale } = asset;
  const plain = (value: bigint | undefined) => (value === undefined ? '' : plainNumberText(toDecimal(value, assetScale)));
  const [isOn, setOn] = useState(limit !== undefined);
  const [perPayment, setPerPayment] = useState(plain(limit?.perPayment));
  const [perDay, setPerDay] = useState(plain(limit?.perDay));
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const onSuccess = async () => {
    onClose();
    await report.done(words.saved, 'settings');
  };
  const set = useMutation(queries.refundLimits.set.mutationOptions({ onSuccess, onError: report.failed }));
  const [ofPayment, ofDay] = [moved(perPayment, asset), moved(perDay, asset)];
  const example = amountText({ value: 20n * 10n ** BigInt(assetScale), ...asset });
  const fault = (amount: bigint | undefined) => (tried && amount === undefined ? words.amountNeeded({ example }) : undefined);
  const save = () => {
    setTried(true);
    if (!isOn) set.mutate({ role, assetCode, assetScale, amounts: null });
    else if (ofPayment !== undefined && ofDay !== undefined)
      set.mutate({ role, assetCode, assetScale, amounts: { perPayment: ofPayment, perDay: ofDay } });
  };
  return (
    <LimitDialog
      title={words.titleOf[role]({ currency: assetCode })}
      label={words.allow[role]}
      isOn={isOn}
      onSwitch={setOn}
      onSave={save}
      isSaving={set.isPending}
      error={set.error}
      onClose={onClose}
    >
      <AmountInput
        label={words.perPayment}
        description={words.perPaymentHint}
        asset={asset}
        value={perPayment}
        onChange={setPerPayment}
        error={fault(ofPayment)}
        required
        data-autofocus
      />
      <AmountInput
        label={words.perDay}
        description={words.perDayHint}
        asset={asset}
        value={perDay}
        onChange={setPerDay}
        error={fault(ofDay)}
        required
      />
    </LimitDialog>
  );
}

/** An amount that can move. It is undefined for a text that is none. */
function moved(text: string, asset: Asset): bigint | undefined {
  const value = typedAmount(text, asset);
  return value !== undefined && value > 0n && value <= MAX_MOVED ? value : undefined;
}
