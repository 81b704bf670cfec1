import { Select, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { AnchorLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { TipsField } from './tips-field.tsx';

const words = messages.till.setting;
/** The minutes that are offered. A script may have set others. */
const MINUTES = [1, 2, 5, 10, 15, 30, 60] as const;

/** How the till works. A choice is saved at once. */
export function TillCard() {
  const till = useQuery(queries.settings.till.queryOptions());
  return (
    <Card title={messages.till.title}>
      <Loaded query={till} skeleton={<Skeleton height={80} />}>
        {({ lapseMinutes, tipPercents }) => (
          <Stack gap="lg">
            <LapseMinutes minutes={lapseMinutes} />
            <TipsField percents={tipPercents} />
            <AnchorLink to="/products" size="sm">
              {messages.products.title}
            </AnchorLink>
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

function LapseMinutes({ minutes }: { minutes: number }) {
  const report = useReporting();
  const set = useMutation(
    queries.settings.setTill.mutationOptions({
      onSuccess: (_, { lapseMinutes }) => report.done(words.saved({ time: words.minutes({ minutes: lapseMinutes }) }), 'settings'),
      onError: report.failed,
    }),
  );
  const offered = [...new Set([...MINUTES, minutes])].sort((a, b) => a - b);
  return (
    <Select
      label={words.label}
      description={words.hint}
      data={offered.map((one) => ({ value: String(one), label: words.minutes({ minutes: one }) }))}
      value={String(set.isPending ? set.variables.lapseMinutes : minutes)}
      onChange={(value) => value !== null && set.mutate({ lapseMinutes: Number(value) })}
      disabled={set.isPending}
      allowDeselect={false}
      maw={420}
    />
  );
}
