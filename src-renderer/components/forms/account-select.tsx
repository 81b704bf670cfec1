import { Select, type SelectProps } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../../src-shared/operator-contract/accounts.ts';
import type { PayableAccount } from '../../../src-shared/operator-contract/payments/payment-requests.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { queries } from '../../transport/operator-client.ts';

/** How many accounts are offered at once. The others are found by a part of their name. */
const OFFERED = 50;

interface AccountSelectProps<T>
  extends Pick<SelectProps, 'label' | 'size' | 'aria-label' | 'description' | 'placeholder' | 'clearable' | 'allowDeselect' | 'disabled'> {
  account: T | undefined;
  onAccount: (account: T | undefined) => void;
}

/** Chooses one of the accounts, of which there may be very many: the node searches them. */
export function AccountSelect(props: AccountSelectProps<Account>) {
  const search = useSearch(props.account);
  const found = useQuery({ ...queries.accounts.list.queryOptions({ input: search.input }), placeholderData: keepPreviousData });
  return <Choice {...props} offered={found.data?.items ?? []} isOld={found.isPlaceholderData} onTyped={search.setTyped} />;
}

/** Chooses one of the accounts that may be paid into. It reads no balances, so a cashier may use it. */
export function PayableAccountSelect(props: AccountSelectProps<PayableAccount>) {
  const search = useSearch(props.account);
  const found = useQuery({ ...queries.requests.accounts.queryOptions({ input: search.input }), placeholderData: keepPreviousData });
  return <Choice {...props} offered={found.data?.items ?? []} isOld={found.isPlaceholderData} onTyped={search.setTyped} />;
}

function useSearch(account: PayableAccount | undefined) {
  const [typed, setTyped] = useState('');
  const text = account !== undefined && typed === accountLabel(account) ? '' : typed.trim();
  return { setTyped, input: { limit: OFFERED, ...(text !== '' && { text }) } };
}

interface ChoiceProps<T> extends AccountSelectProps<T> {
  offered: readonly T[];
  /** Whether the accounts are still those of an earlier text. */
  isOld: boolean;
  onTyped: (text: string) => void;
}

function Choice<T extends PayableAccount>({ account, onAccount, offered, isOld, onTyped, ...rest }: ChoiceProps<T>) {
  // The chosen account keeps its place among the options, so that the field shows its name while others are searched.
  const isOffered = account === undefined || offered.some(({ id }) => id === account.id);
  const options = isOffered ? offered : [account, ...offered];
  return (
    <Select
      {...rest}
      searchable
      // The first match is marked when the answer is there, so that Enter takes it.
      selectFirstOptionOnChange={!isOld}
      value={account?.id ?? null}
      onChange={(id) => onAccount(options.find((one) => one.id === id))}
      onSearchChange={onTyped}
      onFocus={(event) => event.currentTarget.select()}
      data={options.map((one) => ({ value: one.id, label: accountLabel(one) }))}
      filter={({ options: all, search }) =>
        search === '' ? all : all.filter((one) => 'value' in one && offered.some(({ id }) => id === one.value))
      }
      nothingFoundMessage={messages.accounts.noneFound}
    />
  );
}

/** An account as it is named wherever one is chosen. */
export const accountLabel = ({ publicName, assetCode }: PayableAccount): string => `${inertText(publicName)} (${assetCode})`;
