import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Asset, MAX_MOVED, toDecimal } from '../../../src-shared/amounts.ts';
import type { Protected } from '../../../src-shared/people/protected.ts';
import { typedAmount } from '../../../src-shared/typed-input/typed-amount.ts';
import { amountText, plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { AmountInput } from '../../components/forms/amount-input.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useReporting } from '../../transport/reporting.ts';
import { LimitDialog } from './limit-parts.tsx';

const words = messages.people.second;

interface Props {
  what: Protected;
  asset: Asset;
  /** The amount as it is, in smallest units. It is undefined when one person is enough. */
  above: bigint | undefined;
  onClose: () => void;
}

/** Sets above which amount a second person must confirm. Less protection waits for a second person itself. */
export function SecondPersonDialog({ what, asset, above, onClose }: Props) {
  const { assetCode, assetScale } = asset;
  const [isOn, setOn] = useState(above !== undefined);
  const [text, setText] = useState(above === undefined ? '' : plainNumberText(toDecimal(above, assetScale)));
  const [tried, setTried] = useState(false);
  const report = useReporting();
  const onSuccess = async () => {
    onClose();
    await report.done(words.saved, 'settings');
  };
  const set = useMutation(queries.secondPerson.set.mutationOptions({ onSuccess, onError: report.failed }));
  const typed = typedAmount(text, asset);
  const amount = typed !== undefined && typed >= 0n && typed <= MAX_MOVED ? typed : undefined;
  const example = amountText({ value: 500n * 10n ** BigInt(assetScale), ...asset });
  const save = () => {
    setTried(true);
    if (!isOn) set.mutate({ what, assetCode, assetScale, above: null });
    else if (amount !== undefined) set.mutate({ what, assetCode, assetScale, above: amount });
  };
  return (
    <LimitDialog
      title={words.titleOf[what]({ currency: assetCode })}
      label={words.need}
      isOn={isOn}
      onSwitch={setOn}
      onSave={save}
      isSaving={set.isPending}
      error={set.error}
      onClose={onClose}
    >
      <AmountInput
        label={words.above}
        asset={asset}
        value={text}
        onChange={setText}
        error={tried && amount === undefined ? messages.people.limits.amountNeeded({ example }) : undefined}
        required
        data-autofocus
      />
    </LimitDialog>
  );
}
