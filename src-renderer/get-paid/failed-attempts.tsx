import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isReachProblem } from '../../src-shared/attempt-failures.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { Card } from '../components/page/card.tsx';
import { AnchorLink } from '../components/page/links.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useMayRead } from '../transport/you.ts';

const words = messages.getPaid.attempts;

/** Shows why visitors could not pay a request, while there are any. */
export function FailedAttempts({ id }: { id: string }) {
  const { data = [] } = useQuery(queries.requests.failedAttempts.queryOptions({ input: { id } }));
  const now = useNodeTime(60_000);
  const reads = useMayRead();
  if (data.length === 0) return null;
  return (
    <Card title={words.title}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.lead}
        </Text>
        {data.map((attempt) => (
          <div key={attempt.id}>
            <Text size="sm">{words.reasons[attempt.reason]}</Text>
            <Text size="xs" c="dimmed">
              {whenText(attempt.at, now)} · <InertText text={attempt.wallet} expands={false} />
            </Text>
            {reads && isReachProblem(attempt.reason) && (
              <AnchorLink to="/reach" search={{ wallet: attempt.wallet }} size="xs">
                {messages.reach.look}
              </AnchorLink>
            )}
          </div>
        ))}
      </Stack>
    </Card>
  );
}
