import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readTypedNumber } from '../../../src-shared/typed-input/typed-amount.ts';
import { plainNumberText } from '../../../src-shared/words/amount-text.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { hostAndPath, inertText } from '../../../src-shared/words/inert-text.ts';
import { DayFilter } from '../../components/filters/day-filter.tsx';
import { plainAmount } from '../../components/filters/search-params.ts';
import { TextFilter } from '../../components/filters/text-filter.tsx';
import { queries } from '../../transport/operator-client.ts';
import { type PaymentSearch, PLACES } from '../payment-search.ts';
import classes from './payment-filters.module.css';

const words = messages.payments;
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
      <Select
        label={words.madeAtLabel}
        placeholder={words.anyMadeAt}
        clearable
        value={search.madeAt ?? null}
        onChange={(value) => set({ madeAt: PLACES.find((one) => one === value) })}
        data={PLACES.map((value) => ({ value, label: words.madeAt[value] }))}
      />
      <TillFilter search={search} set={set} />
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

/** Offers the tills on phones and tablets. A shop without them has nothing to choose. */
function TillFilter({ search: { tillId }, set }: FurtherFiltersProps) {
  const { data } = useQuery(queries.activity.doers.queryOptions());
  const tills = (data?.items ?? []).filter(({ kind }) => kind === 'till');
  if (tills.length === 0 && tillId === undefined) return null;
  return (
    <Select
      label={messages.tills.fact}
      placeholder={messages.tills.any}
      clearable
      value={tillId ?? null}
      onChange={(value) => set({ tillId: value ?? undefined })}
      data={tills.map(({ id, name }) => ({ value: id, label: inertText(name) }))}
    />
  );
}

interface AmountFilterProps {
  label: string;
  amount: string | undefined;
  onFilter: (text: string | undefined) => void;
}

/** Takes an amount in every form that can mean one number only. The address has it as plain text. */
function AmountFilter({ label, amount, onFilter }: AmountFilterProps) {
  const [typed, setTyped] = useState<string>();
  // The field keeps the operator's form as long as the address says the same, and says what the address says otherwise.
  const own = typed !== undefined && plainAmount(typed) === amount;
  return (
    <TextFilter
      label={label}
      inputMode="decimal"
      maxLength={40}
      text={own ? typed : amount && plainNumberText(amount)}
      error={own ? amountFault(typed) : undefined}
      clearLabel={words.clearOf({ what: label })}
      onFilter={(text) => {
        setTyped(text);
        onFilter(text && plainAmount(text));
      }}
    />
  );
}

function amountFault(text: string): string | undefined {
  if (plainAmount(text) !== undefined) return undefined;
  const typed = readTypedNumber(text);
  const { ambiguous, notANumber } = messages.common.amount;
  if (typed.kind === 'ambiguous') return ambiguous(typed.write);
  return notANumber({ whole: plainNumberText('100'), decimal: plainNumberText('12.50') });
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
