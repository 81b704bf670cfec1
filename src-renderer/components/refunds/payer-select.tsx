import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Payer } from '../../../src-shared/operator-contract/payments/payments.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { hostAndPath } from '../../../src-shared/words/inert-text.ts';
import { queries } from '../../transport/operator-client.ts';

const words = messages.payments.refund;
/** How long a person has stopped typing before the node is asked. */
const AFTER_MS = 250;
/** A person sees this many at a glance, and searches among more. */
const MANY = 10;

interface PayerSelectProps {
  paymentId: string;
  payer: Payer;
  /** The first payers to whom the shop can refund something. */
  payers: readonly Payer[];
  /** Whether there may be others. The node searches them then. */
  more: boolean;
  onPayer: (payer: Payer) => void;
  disabled: boolean;
}

/** The choice of the payer who gets a refund. */
export function PayerSelect({ paymentId, payer, payers, more, onPayer, disabled }: PayerSelectProps) {
  const [typed, setTyped] = useState('');
  const [settled] = useDebouncedValue(typed === hostAndPath(payer.walletAddress) ? '' : typed.trim(), AFTER_MS);
  const asks = more && settled !== '';
  const found = useQuery({
    ...queries.refunds.payers.queryOptions({ input: { paymentId, text: settled } }),
    enabled: asks,
    placeholderData: keepPreviousData,
  });
  const offered = asks ? (found.data?.items ?? []).filter(({ refundable }) => refundable.value > 0n) : payers;
  const isOffered = offered.some(({ walletAddress }) => walletAddress === payer.walletAddress);
  // The chosen payer keeps their place among the options, so that the field shows them while others are searched.
  const options = isOffered ? offered : [payer, ...offered];
  return (
    <Select
      label={words.payer}
      searchable={more || payers.length > MANY}
      data={options.map(({ walletAddress }) => ({ value: walletAddress, label: hostAndPath(walletAddress) }))}
      value={payer.walletAddress}
      onChange={(address) => onPayer(options.find(({ walletAddress }) => walletAddress === address) ?? payer)}
      onSearchChange={setTyped}
      nothingFoundMessage={words.payerNotFound}
      {...(more && { filter: ({ options: all }) => all })}
      allowDeselect={false}
      disabled={disabled}
    />
  );
}
