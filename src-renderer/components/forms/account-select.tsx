import { Select, type SelectProps } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { queries } from '../../transport/operator-client.ts';

/** How many accounts are offered at once. The others are found by a part of their name. */
const OFFERED = 50;

interface AccountSelectProps
  extends Pick<SelectProps, 'label' | 'aria-label' | 'description' | 'placeholder' | 'clearable' | 'allowDeselect' | 'disabled'> {
  account: Account | undefined;
  onAccount: (account: Account | undefined) => void;
}

/** Chooses one of the accounts, of which there may be very many: the node searches them. */
export function AccountSelect({ account, onAccount, ...rest }: AccountSelectProps) {
  const [typed, setTyped] = useState('');
  const text = account !== undefined && typed === labelOf(account) ? '' : typed.trim();
  const found = useQuery({
    ...queries.accounts.list.queryOptions({ input: { limit: OFFERED, ...(text !== '' && { text }) } }),
    placeholderData: keepPreviousData,
  });
  const offered = found.data?.items ?? [];
  // The chosen account keeps its place among the options, so that the field shows its name while others are searched.
  const isOffered = account === undefined || offered.some(({ id }) => id === account.id);
  const options = isOffered ? offered : [account, ...offered];
  return (
    <Select
      {...rest}
      searchable
      // The first match is marked when the answer is there, so that Enter takes it.
      selectFirstOptionOnChange={!found.isPlaceholderData}
      value={account?.id ?? null}
      onChange={(id) => onAccount(options.find((one) => one.id === id))}
      onSearchChange={setTyped}
      onFocus={(event) => event.currentTarget.select()}
      data={options.map((one) => ({ value: one.id, label: labelOf(one) }))}
      filter={({ options: all, search }) =>
        search === '' ? all : all.filter((one) => 'value' in one && offered.some(({ id }) => id === one.value))
      }
      nothingFoundMessage={messages.accounts.noneFound}
    />
  );
}

const labelOf = ({ publicName, assetCode }: Account): string => `${inertText(publicName)} (${assetCode})`;
