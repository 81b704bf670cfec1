import { Checkbox, Group, NativeSelect } from '@mantine/core';
import { messages } from '../../src-shared/words/console/messages.ts';
import { SearchFilter } from '../components/filters/text-filter.tsx';

const words = messages.apps;
const UNUSED_DAYS = 90;

/** Which permissions are shown, and in which order. */
export interface Wanted {
  order: 'newest' | 'oldest';
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
          words={{ searchLabel: words.search, searchHint: words.searchHint, clearSearch: words.clearSearch }}
          text={text}
          onFilter={(typed) =>
            onWanted({ order, ...(unusedDays !== undefined && { unusedDays }), ...(typed !== undefined && { text: typed }) })
          }
        />
        <NativeSelect
          aria-label={words.orderLabel}
          value={order}
          data={[
            { value: 'newest', label: words.orders.newest },
            { value: 'oldest', label: words.orders.oldest },
          ]}
          onChange={({ currentTarget: { value } }) => onWanted({ ...wanted, order: value === 'oldest' ? 'oldest' : 'newest' })}
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
