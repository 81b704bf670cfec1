import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dateTimeText } from '../../../src-shared/words/date-text.ts';
import { type client, queries } from '../../transport/operator-client.ts';
import { Card } from './card.tsx';
import { AnchorLink } from './links.tsx';
import { Loaded } from './loaded.tsx';
import { Status } from './status.tsx';

const words = messages.reach.outside;

/** Says whether customers elsewhere can pay, as far as this node knows it by itself, and whether one has. */
export function OutsideCard() {
  const outside = useQuery(queries.wallets.outside.queryOptions());
  return (
    <Card title={words.title}>
      <Loaded query={outside} skeleton={<Skeleton height={64} />}>
        {(found) => (
          <Stack gap="xs">
            <Group>
              <Finding {...found} />
            </Group>
            <Text c="dimmed" size="sm">
              <Advice {...found} />
            </Text>
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}

type Found = Awaited<ReturnType<typeof client.wallets.outside>>;

function Finding({ missing, firstPaidAt }: Found) {
  if (missing !== null) return <Status tone="warning">{words.notYet}</Status>;
  return firstPaidAt === null ? <Status tone="busy">{words.untried}</Status> : <Status tone="good">{words.proven}</Status>;
}

/** What is left to do, and where. */
function Advice({ missing, firstPaidAt }: Found) {
  if (missing !== null) {
    const where = missing === 'public_address' ? 'settings' : 'peers';
    return (
      <>
        {words.missing[missing]}{' '}
        <AnchorLink to={`/${where}`} inherit underline="always">
          {words.see[where]}
        </AnchorLink>
      </>
    );
  }
  if (firstPaidAt !== null) return words.firstPaid(dateTimeText(firstPaidAt));
  return (
    <>
      {words.untriedWords}{' '}
      <AnchorLink to="/get-paid" inherit underline="always">
        {words.getPaid}
      </AnchorLink>
    </>
  );
}
