import { Select, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { inertText } from '../../../src-shared/words/inert-text.ts';
import { queries } from '../../transport/operator-client.ts';

interface AccountFilterProps extends Pick<SelectProps, 'aria-label' | 'placeholder'> {
  accountId: string | undefined;
  onFilter: (accountId: string | undefined) => void;
}

/** Narrows a list to the payments or acts of one account. */
export function AccountFilter({ accountId, onFilter, ...rest }: AccountFilterProps) {
  const accounts = useQuery(queries.accounts.list.queryOptions());
  return (
    <Select
      {...rest}
      clearable
      value={accountId ?? null}
      onChange={(value) => onFilter(value ?? undefined)}
      data={(accounts.data ?? []).map(({ id, publicName }) => ({ value: id, label: inertText(publicName) }))}
    />
  );
}
