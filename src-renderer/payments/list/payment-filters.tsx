import { Button, Collapse, Group, SegmentedControl, Select } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { useId } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { AccountFilter } from '../../components/filters/account-filter.tsx';
import { isFiltered } from '../../components/filters/search-params.ts';
import { SearchFilter } from '../../components/filters/text-filter.tsx';
import { useFilters } from '../../components/filters/use-filters.ts';
import { ButtonLink } from '../../components/page/links.tsx';
import { furtherFilters, type PaymentSearch, STATUSES } from '../payment-search.ts';
import { FurtherFilters } from './further-filters.tsx';
import classes from './payment-filters.module.css';

const words = messages.payments;

/** The filters of the payments list. */
export function PaymentFilters({ search }: { search: PaymentSearch }) {
  const further = furtherFilters(search);
  const [opened, { toggle }] = useDisclosure(further > 0);
  const panel = useId();
  const set = useFilters(search);
  return (
    <search>
      <div className={classes.filters}>
        <SegmentedControl
          className={classes.direction}
          aria-label={words.directionLabel}
          value={search.unpaid ? 'unpaid' : (search.direction ?? 'all')}
          onChange={(value) =>
            set({ direction: value === 'in' || value === 'out' ? value : undefined, unpaid: value === 'unpaid' || undefined })
          }
          data={[
            { value: 'all', label: words.directions.all },
            { value: 'in', label: words.directions.in },
            { value: 'out', label: words.directions.out },
            { value: 'unpaid', label: words.directions.unpaid },
          ]}
        />
        <SearchFilter className={classes.search} words={words} text={search.text} onFilter={(text) => set({ text })} />
        <Group gap="sm" className={classes.selects} wrap="nowrap">
          <Select
            aria-label={words.statusLabel}
            placeholder={words.anyStatus}
            clearable
            value={search.status ?? null}
            onChange={(value) => set({ status: STATUSES.find((status) => status === value) })}
            data={STATUSES.map((value) => ({ value, label: words.statuses[value] }))}
          />
          <AccountFilter
            aria-label={words.accountLabel}
            placeholder={words.anyAccount}
            accountId={search.accountId}
            onFilter={(accountId) => set({ accountId })}
          />
        </Group>
        <Group gap="xs" wrap="nowrap" className={classes.more}>
          <Button
            variant="default"
            leftSection={<IconAdjustmentsHorizontal size={18} aria-hidden />}
            aria-expanded={opened}
            aria-controls={panel}
            onClick={toggle}
          >
            {words.moreFilters({ set: further })}
          </Button>
          {isFiltered(search) && (
            <ButtonLink to="/payments" variant="subtle" replace>
              {words.clear}
            </ButtonLink>
          )}
        </Group>
      </div>
      <Collapse expanded={opened} id={panel}>
        <FurtherFilters search={search} set={set} />
      </Collapse>
    </search>
  );
}
