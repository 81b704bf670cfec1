import { Radio, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Tier, AppTrust as Trust } from '../../src-shared/operator-contract/apps.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { useMayCall } from '../transport/you.ts';

const words = messages.apps.trust;
const USUAL = 'usual';
const TIERS: readonly Tier[] = ['stranger', 'known', 'trusted'];

/** Shows how much the app of a grant may use up, and lets the operator choose. */
export function AppTrust({ grantId }: { grantId: string }) {
  const { data } = useQuery(queries.apps.trust.queryOptions({ input: { id: grantId } }));
  if (data === undefined) return null;
  return (
    <Card title={words.title}>
      {data.canChoose ? (
        <Choice grantId={grantId} trust={data} />
      ) : (
        <Text c="dimmed">{data.tier === 'trusted' ? words.own : words.keyOnly}</Text>
      )}
    </Card>
  );
}

const Lines = ({ lines }: { lines: readonly string[] }) => (
  <>
    {lines.map((line) => (
      <Text key={line} span display="block" inherit>
        {line}
      </Text>
    ))}
  </>
);

function Choice({ grantId, trust: { chosen, usual, limits } }: { grantId: string; trust: Trust }) {
  const report = useReporting();
  const isForYou = useMayCall('apps.chooseTrust');
  const choose = useMutation(
    queries.apps.chooseTrust.mutationOptions({
      onSuccess: () => report.done(words.chosen, 'apps'),
      onError: report.failed,
    }),
  );
  return (
    <Radio.Group
      aria-label={words.title}
      value={chosen ?? USUAL}
      onChange={(value) => choose.mutate({ id: grantId, tier: TIERS.find((tier) => tier === value) ?? null })}
    >
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {words.lead}
        </Text>
        <Radio value={USUAL} label={words.usual(usual)} description={words.usualWords} disabled={choose.isPending || !isForYou} />
        {TIERS.map((tier) => (
          <Radio
            key={tier}
            value={tier}
            label={words.tiers[tier]}
            description={<Lines lines={words.limits(limits[tier])} />}
            disabled={choose.isPending || !isForYou}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
