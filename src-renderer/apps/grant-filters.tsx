import { Checkbox, Group, NativeSelect } from '@mantine/core';
import { messages } from '../../src-shared/words/console/messages.ts';
import { SearchFilter } from '../components/filters/text-filter.tsx';
import classes from './apps-page.module.css';

const words = messages.apps;
const UNUSED_DAYS = 90;

const ORDERS = ['used', 'name', 'newest', 'oldest'] as const;
type Order = (typeof ORDERS)[number];
const isOrder = (text: string): text is Order => ORDERS.some((order) => order === text);

/** Which permissions are shown, and in which order. */
export interface Wanted {
  order: Order;
  text?: string;
  unusedDays?: number;
}

/** The search, the order and the filter of the list of permissions. */
export function GrantFilters({ wanted, onWanted }: { wanted: Wanted; onWanted: (wanted: Wanted) => void }) {
  const { order, text, unusedDays } = wanted;
  return (
    <search>
      <Group gap="sm">
        <SearchFilter
          className={classes.search}
          words={{ searchLabel: words.search, searchHint: words.searchHint, clearSearch: words.clearSearch }}
          text={text}
          onFilter={(typed) =>
            onWanted({ order, ...(unusedDays !== undefined && { unusedDays }), ...(typed !== undefined && { text: typed }) })
          }
        />
        <NativeSelect
          aria-label={words.orderLabel}
          value={order}
          data={ORDERS.map((one) => ({ value: one, label: words.orders[one] }))}
          onChange={({ currentTarget: { value } }) => isOrder(value) && onWanted({ ...wanted, order: value })}
        />
        <Checkbox
          label={words.unused}
          checked={unusedDays !== undefined}
          onChange={({ currentTarget: { checked } }) =>
            onWanted({ order, ...(text !== undefined && { text }), ...(checked && { unusedDays: UNUSED_DAYS }) })
          }
        />
      </Group>
    </search>
  );
}
