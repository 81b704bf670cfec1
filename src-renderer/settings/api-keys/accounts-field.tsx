import { Checkbox, MultiSelect, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { PayableAccount } from '../../../src-shared/operator-contract/payments/payment-requests.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { accountLabel } from '../../components/forms/account-select.tsx';
import { queries } from '../../transport/operator-client.ts';
import classes from './api-keys.module.css';

const words = messages.apiKeys;
/** How many accounts are offered at once. The others are found by a part of their name. */
const OFFERED = 50;
/** The most accounts of a key that is not for all. */
const MOST = 50;

interface AccountsFieldProps {
  /** The accounts that were chosen; null for all. */
  accounts: readonly PayableAccount[] | null;
  onAccounts: (accounts: PayableAccount[] | null) => void;
  /** Whether the form was sent already. Only then the field says that something is missing. */
  tried: boolean;
}

/** Chooses the accounts of a key, of which there may be very many: the node searches them. */
export function AccountsField({ accounts, onAccounts, tried }: AccountsFieldProps) {
  const [typed, setTyped] = useState('');
  const text = typed.trim();
  const input = { limit: OFFERED, ...(text !== '' && { text }) };
  const found = useQuery({ ...queries.requests.accounts.queryOptions({ input }), placeholderData: keepPreviousData });
  const chosen = accounts ?? [];
  const offered = found.data?.items ?? [];
  const options = [...chosen, ...offered.filter(({ id }) => !chosen.some((one) => one.id === id))];
  return (
    <Stack gap="sm">
      <Checkbox
        label={words.onlyAccounts}
        description={words.onlyAccountsHint}
        checked={accounts !== null}
        onChange={({ currentTarget }) => onAccounts(currentTarget.checked ? [] : null)}
      />
      {accounts !== null && (
        <MultiSelect
          className={classes.part}
          classNames={{ inputField: classes.search ?? '' }}
          label={words.accounts}
          value={chosen.map(({ id }) => id)}
          onChange={(ids) => onAccounts(options.filter(({ id }) => ids.includes(id)))}
          data={options.map((one) => ({ value: one.id, label: accountLabel(one) }))}
          // The node has searched already.
          filter={({ options: all }) => all}
          searchable
          onSearchChange={setTyped}
          maxValues={MOST}
          hidePickedOptions
          nothingFoundMessage={messages.accounts.noneFound}
          error={tried && chosen.length === 0 ? words.accountsNeeded : undefined}
        />
      )}
    </Stack>
  );
}
