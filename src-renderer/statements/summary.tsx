import { Alert, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { StatementSummary } from '../../src-shared/operator-contract/shop/statements.ts';
import type { Period } from '../../src-shared/statements/period.ts';
import { signedText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { yearDayText } from '../../src-shared/words/date-text.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { Facts } from '../components/text/facts.tsx';
import { queries } from '../transport/operator-client.ts';

const words = messages.statements;

/** What a statement would say, asked anew when something moves. It keeps the former one until the next is there. */
export const useSummary = (accountId: string, period: Period | undefined) =>
  useQuery({
    ...queries.statements.look.queryOptions({ input: { accountId, from: period?.from ?? '', to: period?.to ?? '' } }),
    enabled: period !== undefined,
    placeholderData: keepPreviousData,
  });

/** Shows the balances and sums of the chosen days. */
export function Summary({ query }: { query: ReturnType<typeof useSummary> }) {
  if (query.error !== null) return <Failure error={query.error} onRetry={() => void query.refetch()} />;
  return <Card title={words.summary}>{query.data === undefined ? <Skeleton height={150} /> : <Sums summary={query.data} />}</Card>;
}

function Sums({ summary }: { summary: StatementSummary }) {
  const { credits, debits, opening, closing, from, to, isEnded, noRateTo } = summary;
  const text = (value: bigint) => signedText({ ...summary, value });
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [words.period, words.days({ from: yearDayText(from), to: yearDayText(to) })],
          [words.opening, text(opening)],
          [words.credits({ count: credits.count }), text(credits.sum)],
          [words.debits({ count: debits.count }), text(-debits.sum)],
          [words.closing, text(closing)],
        ]}
      />
      {credits.count + debits.count === 0 && <Alert>{words.nothing}</Alert>}
      {!isEnded && <Alert>{words.notEnded}</Alert>}
      {noRateTo !== null && <Alert>{words.noRate({ currency: summary.assetCode, home: noRateTo })}</Alert>}
    </Stack>
  );
}
