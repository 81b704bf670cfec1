import { Group, Select } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { ACTIVITY_KINDS } from '../../src-shared/activity-kinds.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AccountFilter } from '../components/forms/account-filter.tsx';
import { DayFilter } from '../components/forms/day-filter.tsx';
import { FilterInput } from '../components/forms/search-box.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import classes from './activity.module.css';
import { type ActivitySearch, isFiltered } from './activity-search.ts';

const words = messages.activity;

/** The filters of the log; they live in the address. */
export function ActivityFilters({ search }: { search: ActivitySearch }) {
  const navigate = useNavigate();
  const set = (change: Partial<ActivitySearch>) =>
    void navigate({ to: '/activity', search: { ...search, ...change }, replace: true, resetScroll: false });
  return (
    <search className={classes.filters}>
      <FilterInput
        aria-label={words.searchLabel}
        placeholder={words.searchHint}
        type="search"
        maxLength={200}
        leftSection={<IconSearch size={18} aria-hidden />}
        text={search.text ?? ''}
        clearLabel={words.clearSearch}
        onFilter={(text) => set({ text: text === '' ? undefined : text })}
        className={classes.search}
      />
      <Select
        aria-label={words.kindLabel}
        placeholder={words.anyKind}
        clearable
        value={search.kind ?? null}
        onChange={(value) => set({ kind: ACTIVITY_KINDS.find((kind) => kind === value) })}
        data={ACTIVITY_KINDS.map((value) => ({ value, label: words.kinds[value] }))}
      />
      <AccountFilter
        aria-label={words.accountLabel}
        placeholder={words.anyAccount}
        accountId={search.accountId}
        onFilter={(accountId) => set({ accountId })}
      />
      <Group gap="sm">
        <Group gap="sm" wrap="nowrap" className={classes.days}>
          <DayFilter aria-label={words.fromLabel} day={search.from} max={search.to} onFilter={(from) => set({ from })} />
          <span aria-hidden>–</span>
          <DayFilter aria-label={words.toLabel} day={search.to} min={search.from} onFilter={(to) => set({ to })} />
        </Group>
        {isFiltered(search) && (
          <ButtonLink to="/activity" variant="subtle" replace>
            {words.clear}
          </ButtonLink>
        )}
      </Group>
    </search>
  );
}
