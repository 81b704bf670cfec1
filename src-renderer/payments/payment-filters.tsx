import { CloseButton, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { PaymentFilter } from '../../src-shared/operator-contract/payments.ts';
import { inertText } from '../format/inert-text.ts';
import { messages } from '../messages.ts';
import { queries } from '../operator-client.ts';
import classes from './payment-filters.module.css';
import { STATUSES } from './payment-search.ts';

const words = messages.payments;

/** The filters of the payments list; they live in the address, so that a list can be kept and shared. */
export function PaymentFilters({ filter }: { filter: PaymentFilter }) {
  const navigate = useNavigate();
  const accounts = useQuery(queries.accounts.list.queryOptions());
  const set = (change: PaymentFilter) => void navigate({ to: '/payments', search: { ...filter, ...change }, replace: true });
  return (
    <search className={classes.filters}>
      <SegmentedControl
        className={classes.direction}
        aria-label={words.directionLabel}
        value={filter.direction ?? 'all'}
        onChange={(value) => set({ direction: value === 'in' || value === 'out' ? value : undefined })}
        data={[
          { value: 'all', label: words.directions.all },
          { value: 'in', label: words.directions.in },
          { value: 'out', label: words.directions.out },
        ]}
      />
      <SearchBox text={filter.text ?? ''} onSearch={(text) => set({ text: text === '' ? undefined : text })} />
      <Group gap="sm" className={classes.selects} wrap="nowrap">
        <Select
          aria-label={words.statusLabel}
          placeholder={words.anyStatus}
          clearable
          value={filter.status ?? null}
          onChange={(value) => set({ status: STATUSES.find((status) => status === value) })}
          data={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
        />
        <Select
          aria-label={words.accountLabel}
          placeholder={words.anyAccount}
          clearable
          value={filter.accountId ?? null}
          onChange={(value) => set({ accountId: value ?? undefined })}
          data={(accounts.data ?? []).map(({ id, publicName }) => ({ value: id, label: inertText(publicName) }))}
        />
      </Group>
    </search>
  );
}

const SEARCH_AFTER_MS = 250;

function SearchBox({ text, onSearch }: { text: string; onSearch: (text: string) => void }) {
  const [typed, setTyped] = useState(text);
  const sent = useRef(text);
  const search = useDebouncedCallback((value: string) => {
    sent.current = value;
    onSearch(value);
  }, SEARCH_AFTER_MS);
  // The address changes without typing too: by its filters being cleared, and by going back.
  useEffect(() => {
    if (text !== sent.current) setTyped(text);
    sent.current = text;
  }, [text]);
  const type = (value: string) => {
    setTyped(value);
    search(value.trim());
  };
  return (
    <TextInput
      className={classes.search}
      aria-label={words.searchLabel}
      placeholder={words.searchHint}
      type="search"
      maxLength={200}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={typed === '' ? null : <CloseButton aria-label={words.clearSearch} onClick={() => type('')} />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
