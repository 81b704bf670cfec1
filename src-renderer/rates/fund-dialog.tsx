import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { assetKey, fromDecimal, MAX_MOVED } from '../../src-shared/amounts.ts';
import type { AmountValue } from '../../src-shared/operator-contract/values.ts';
import { AmountInput, amountFault } from '../components/amount-input.tsx';
import { Facts } from '../components/facts.tsx';
import { Failure } from '../components/failure.tsx';
import { outcomeUnknown } from '../error-text.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../messages.ts';
import { queries } from '../operator-client.ts';
import { useReporting } from '../reporting.ts';

export type FundKind = 'fund' | 'withdraw';

const words = messages.rates;

interface FundDialogProps {
  kind: FundKind;
  /** In which currency; chosen in the dialog when there is none yet. */
  fund: AmountValue | undefined;
  /** Every currency the node knows. */
  all: readonly AmountValue[];
  opened: boolean;
  onClose: () => void;
}

/** Puts money aside for exchanging, or takes it out. One dialog is one intention: however often it is sent, it has one effect. */
export function FundDialog({ kind, fund, all, opened, onClose }: FundDialogProps) {
  const [requestId] = useState(() => crypto.randomUUID());
  const [chosen, setChosen] = useState(fund === undefined ? null : assetKey(fund));
  const [text, setText] = useState('');
  const [note, setNote] = useState('');
  const [tried, setTried] = useState(false);
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
  const asset = all.find((one) => assetKey(one) === chosen);
  const value = asset && fromDecimal(text, asset.assetScale);
  const amount = value !== undefined && value > 0n && value <= MAX_MOVED ? value : undefined;
  const fixed = operation.isPending || outcomeUnknown(operation.error);
  const tooMuch = kind === 'withdraw' && amount !== undefined && asset !== undefined && amount > asset.value && !fixed;
  const needed = tried && asset !== undefined && amount === undefined && amountFault(text, asset) === undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (asset === undefined || amount === undefined || tooMuch) return;
    operation.mutate({ requestId, assetCode: asset.assetCode, assetScale: asset.assetScale, amount, note: note.trim() });
  };
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={kind === 'fund' ? words.fundTitle : words.withdrawTitle}
      closeOnClickOutside={!operation.isPending}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {kind === 'fund' ? words.fundWords : words.withdrawWords}
          </Text>
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
          <AmountInput
            label={words.amount}
            asset={asset ?? { assetCode: '', assetScale: 2 }}
            value={text}
            onChange={setText}
            error={tooMuch ? words.notEnough : needed ? words.amountNeeded : undefined}
            disabled={fixed}
            required
            data-autofocus={fund !== undefined || undefined}
          />
          <TextInput
            label={words.note}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
            maxLength={500}
            disabled={fixed}
          />
          {asset !== undefined && <Facts facts={[[words.there, amountText(asset)]]} />}
          <Failure error={operation.error} />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              {messages.common.cancel}
            </Button>
            <Button type="submit" loading={operation.isPending}>
              {outcomeUnknown(operation.error) ? messages.common.tryAgain : words.record}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
