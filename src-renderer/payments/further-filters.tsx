import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { withPoint } from '../../src-shared/amounts.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { hostAndPath } from '../../src-shared/words/inert-text.ts';
import { DayFilter } from '../components/filters/day-filter.tsx';
import { TextFilter } from '../components/filters/text-filter.tsx';
import { queries } from '../transport/operator-client.ts';
import classes from './payment-filters.module.css';
import type { PaymentSearch } from './payment-search.ts';

const words = messages.payments;
const AMOUNT = /^\d{1,20}(\.\d{1,18})?$/;
/** Stands for the empty id of the operator, which a list of choices cannot have. */
const YOU = 'you';

interface FurtherFiltersProps {
  search: PaymentSearch;
  set: (change: Partial<PaymentSearch>) => void;
}

/** The filters that are needed now and then. */
export function FurtherFilters({ search, set }: FurtherFiltersProps) {
  const { reference, from, to } = search;
  return (
    <div className={classes.further}>
      <TextFilter
        label={words.referenceLabel}
        placeholder={words.referenceHint}
        text={reference}
        clearLabel={words.clearReference}
        onFilter={(text) => set({ reference: text })}
      />
      <AppFilter search={search} set={set} />
      <div className={classes.pair}>
        <AmountFilter label={words.minLabel} amount={search.min} onFilter={(min) => set({ min })} />
        <AmountFilter label={words.maxLabel} amount={search.max} onFilter={(max) => set({ max })} />
      </div>
      <div className={classes.pair}>
        <DayFilter label={words.fromLabel} day={from} max={to} onFilter={(day) => set({ from: day })} />
        <DayFilter label={words.toLabel} day={to} min={from} onFilter={(day) => set({ to: day })} />
      </div>
    </div>
  );
}

function AmountFilter({
  label,
  amount,
  onFilter,
}: {
  label: string;
  amount: string | undefined;
  onFilter: (text: string | undefined) => void;
}) {
  return (
    <TextFilter
      label={label}
      inputMode="decimal"
      maxLength={40}
      text={amount}
      clearLabel={words.clearOf(label)}
      onFilter={(typed) => {
        const text = typed && withPoint(typed);
        if (text === undefined || AMOUNT.test(text)) onFilter(text);
      }}
    />
  );
}

/** Offers the apps that have, or had, a right, and the one that stands in the address, whatever it is. */
function AppFilter({ search: { client }, set }: FurtherFiltersProps) {
  const grants = useQuery(queries.apps.grants.queryOptions({ input: { limit: 100 } }));
  const apps = new Map((grants.data?.items ?? []).map((grant) => [grant.client.id, messages.consent.clientName(grant.client)]));
  if (client !== undefined && client !== '' && !apps.has(client)) apps.set(client, hostAndPath(client));
  return (
    <Select
      label={words.appLabel}
      placeholder={words.anyApp}
      clearable
      searchable
      nothingFoundMessage={words.noApp}
      value={client === '' ? YOU : (client ?? null)}
      onChange={(value) => set({ client: value === YOU ? '' : (value ?? undefined) })}
      data={[{ value: YOU, label: words.fact.byYou }, ...[...apps].map(([value, label]) => ({ value, label }))]}
    />
  );
}
