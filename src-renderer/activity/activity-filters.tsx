import { Group, Select } from '@mantine/core';
import { ACTIVITY_KINDS } from '../../src-shared/activity-kinds.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AccountFilter } from '../components/filters/account-filter.tsx';
import { DayFilter } from '../components/filters/day-filter.tsx';
import { isFiltered } from '../components/filters/search-params.ts';
import { SearchFilter } from '../components/filters/text-filter.tsx';
import { useFilters } from '../components/filters/use-filters.ts';
import { ButtonLink } from '../components/page/links.tsx';
import classes from './activity.module.css';
import type { ActivitySearch } from './activity-search.ts';
import { DoerFilter } from './doer-filter.tsx';

const words = messages.activity;

/** The filters of the activity log. */
export function ActivityFilters({ search }: { search: ActivitySearch }) {
  const set = useFilters(search);
  return (
    <search className={classes.filters}>
      <SearchFilter words={words} text={search.text} onFilter={(text) => set({ text })} />
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
      <DoerFilter by={search.by} onFilter={(by) => set({ by })} />
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
