import { Button, Center, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Grant } from '../../src-shared/operator-contract/apps.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { BudgetMeter } from '../components/money/budget-meter.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { ButtonLink, PlainLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Sentence } from '../components/text/sentence.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import classes from './apps-page.module.css';
import { ClientName } from './client-name.tsx';
import { FrozenGrants } from './frozen-grants.tsx';
import { GrantState, isLiving, stageOf } from './grant-state.tsx';
import { RevokeAll } from './revoke-all.tsx';

const words = messages.apps;

/** Shows what every app may do, app by app. Ended permissions keep their place. */
export function AppsPage() {
  const grants = useInfiniteQuery(
    queries.apps.grants.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
  );
  return (
    <Page title={words.title} lead={words.lead}>
      <FrozenGrants />
      <Loaded query={grants} skeleton={<AppsSkeleton />}>
        {({ pages }) => {
          const byClient = Map.groupBy(
            pages.flatMap(({ items }) => items),
            ({ client }) => client.id,
          );
          if (byClient.size === 0) return <NoApps />;
          return (
            <Stack gap="lg">
              {[...byClient].map(([id, list]) => (
                <ClientCard key={id} grants={list} />
              ))}
              {grants.hasNextPage && (
                <Center>
                  <Button variant="default" loading={grants.isFetchingNextPage} onClick={() => void grants.fetchNextPage()}>
                    {messages.common.loadMore}
                  </Button>
                </Center>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

function ClientCard({ grants }: { grants: Grant[] }) {
  const [newest] = grants;
  if (newest === undefined) return null;
  return (
    <Card
      flush
      title={<ClientName client={newest.client} expands={false} />}
      aside={
        <Group gap="md">
          <Text size="sm" c="dimmed" className={classes.count}>
            {words.grants(grants.length)}
          </Text>
          {grants.some(isLiving) && <RevokeAll client={newest.client} />}
        </Group>
      }
    >
      <ul className={classes.grants}>
        {grants.map((grant) => (
          <li key={grant.id}>
            <GrantRow grant={grant} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function GrantRow({ grant }: { grant: Grant }) {
  const now = useNodeTime(60_000);
  const living = isLiving(grant);
  const [budget] = grant.budgets;
  const spends = grant.access.some(({ type }) => type === 'outgoing-payment');
  return (
    <PlainLink to="/apps/$grantId" params={{ grantId: grant.id }} className={classes.grant} data-ended={!living || undefined}>
      <span className={classes.rights}>
        {words.stages[stageOf(grant)].verb} <Sentence words={messages.consent.rightsListed(grant.access)} expands={false} />
      </span>
      {living && budget !== undefined && <BudgetMeter budget={budget} />}
      <span className={classes.line}>
        <GrantState state={grant.state} />
        <span>
          {spends && `${words.payments(grant.payments)} · `}
          {grant.lastUsedAt === null ? words.neverUsed : words.used(whenText(grant.lastUsedAt, now))} ·{' '}
          {words.since(whenText(grant.createdAt, now))}
        </span>
      </span>
    </PlainLink>
  );
}

function NoApps() {
  return (
    <Card>
      <Empty
        icon={IconPlugConnected}
        title={words.none}
        advice={words.noneAdvice}
        action={
          <ButtonLink to="/accounts" variant="default">
            {messages.overview.showAddress}
          </ButtonLink>
        }
      />
    </Card>
  );
}

function AppsSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton height={220} radius="lg" />
      <Skeleton height={160} radius="lg" />
    </Stack>
  );
}
