import { Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { assetKey } from '../../src-shared/amounts.ts';
import type { AmountValue } from '../../src-shared/operator-contract/values.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { isFixed, MoneyDialog, useMoneyForm } from '../components/forms/money-dialog.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

export type FundKind = 'fund' | 'withdraw';

const words = messages.rates;

interface FundDialogProps {
  kind: FundKind;
  /** The currency. It is undefined when the operator chooses it in the dialog. */
  fund: AmountValue | undefined;
  /** Every currency the node knows. */
  all: readonly AmountValue[];
  opened: boolean;
  onClose: () => void;
}

/** Puts money aside for exchanging, or takes it out. However often one dialog is sent, it has one effect. */
export function FundDialog({ kind, fund, all, opened, onClose }: FundDialogProps) {
  const [chosen, setChosen] = useState(fund === undefined ? null : assetKey(fund));
  const asset = all.find((one) => assetKey(one) === chosen);
  const form = useMoneyForm(asset);
  const { requestId, note, tried, amount } = form;
  const report = useReporting();
  const options = {
    onSuccess: async () => {
      onClose();
      await report.done(words.recorded, 'rates');
    },
  };
  const add = useMutation(queries.rates.fund.mutationOptions(options));
  const take = useMutation(queries.rates.withdraw.mutationOptions(options));
  const operation = kind === 'fund' ? add : take;
  const fixed = isFixed(operation);
  const tooMuch = kind === 'withdraw' && amount !== undefined && asset !== undefined && amount > asset.value && !fixed;
  const needed = tried && asset !== undefined && amount === undefined;
  const submit = () => {
    if (asset === undefined || amount === undefined || tooMuch) return;
    operation.mutate({ requestId, assetCode: asset.assetCode, assetScale: asset.assetScale, amount, note: note.trim() });
  };
  return (
    <MoneyDialog
      title={kind === 'fund' ? words.fundTitle : words.withdrawTitle}
      lead={kind === 'fund' ? words.fundWords : words.withdrawWords}
      asset={asset ?? { assetCode: '', assetScale: 2 }}
      form={form}
      operation={operation}
      words={words}
      fault={tooMuch ? words.notEnough : needed ? words.amountNeeded : undefined}
      facts={asset === undefined ? [] : [[words.there, amountText(asset)]]}
      action={words.record}
      focusesBefore={fund === undefined}
      opened={opened}
      onSubmit={submit}
      onClose={onClose}
    >
      {fund === undefined && (
        <Select
          label={words.currency}
          value={chosen}
          onChange={setChosen}
          error={tried && asset === undefined ? words.currencyNeeded : undefined}
          disabled={fixed}
          required
          data-autofocus
          data={all.map((one) => ({ value: assetKey(one), label: `${one.assetCode} · ${amountText(one)}` }))}
        />
      )}
    </MoneyDialog>
  );
}
