import { Select, Skeleton } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { zoneText } from '../../src-shared/words/time-zone.ts';
import { Loaded } from '../components/page/loaded.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';

const words = messages.settings.timeZone;
const NAMES = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC')];
/** The choice to follow the node's computer. It is no name of a time zone. */
const COMPUTER = 'computer';

/** The time zone in which the shop counts its days. A choice is saved at once. */
export function TimeZoneField() {
  const zone = useQuery(queries.settings.timeZone.queryOptions());
  return (
    <Loaded query={zone} skeleton={<Skeleton height={80} />}>
      {({ chosen, computer }) => <Choice chosen={chosen} computer={computer} />}
    </Loaded>
  );
}

function Choice({ chosen, computer }: { chosen: string | null; computer: string }) {
  const report = useReporting();
  const set = useMutation(
    queries.settings.setTimeZone.mutationOptions({
      onSuccess: (_, { timeZone }) => report.done(words.saved({ zone: zoneText(timeZone ?? computer) })),
      onError: report.failed,
    }),
  );
  const choose = (value: string | null) => {
    if (value !== null) set.mutate({ timeZone: value === COMPUTER ? null : value });
  };
  // Browsers spell some names in another way than the node does.
  const names = chosen === null || NAMES.includes(chosen) ? NAMES : [chosen, ...NAMES];
  return (
    <Select
      label={words.label}
      description={words.hint}
      data={[
        { value: COMPUTER, label: words.computer({ zone: zoneText(computer) }) },
        ...names.map((name) => ({ value: name, label: zoneText(name) })),
      ]}
      value={set.isPending ? (set.variables.timeZone ?? COMPUTER) : (chosen ?? COMPUTER)}
      onChange={choose}
      disabled={set.isPending}
      allowDeselect={false}
      searchable
      selectFirstOptionOnChange
      limit={100}
      nothingFoundMessage={words.none}
      maw={420}
    />
  );
}
