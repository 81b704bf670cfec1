import type { SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queries } from '../../transport/operator-client.ts';
import { AccountSelect } from '../forms/account-select.tsx';

interface AccountFilterProps extends Pick<SelectProps, 'aria-label' | 'placeholder'> {
  accountId: string | undefined;
  onFilter: (accountId: string | undefined) => void;
}

/** Narrows a list to the payments or acts of one account. */
export function AccountFilter({ accountId, onFilter, ...rest }: AccountFilterProps) {
  const account = useQuery({ ...queries.accounts.get.queryOptions({ input: { id: accountId ?? '' } }), enabled: accountId !== undefined });
  return (
    <AccountSelect
      {...rest}
      clearable
      account={accountId === undefined ? undefined : account.data}
      onAccount={(chosen) => onFilter(chosen?.id)}
    />
  );
}
