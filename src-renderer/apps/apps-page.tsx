import { Button, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Grant } from '../../src-shared/operator-contract/apps.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { whenText } from '../../src-shared/words/date-text.ts';
import { BudgetMeter } from '../components/money/budget-meter.tsx';
import { Card } from '../components/page/card.tsx';
import { EmptyList } from '../components/page/empty-list.tsx';
import { PlainLink } from '../components/page/links.tsx';
import { LoadMore } from '../components/page/load-more.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Sentence } from '../components/text/sentence.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useMayCall } from '../transport/you.ts';
import classes from './apps-page.module.css';
import { ClientName } from './client-name.tsx';
import { FrozenGrants } from './frozen-grants.tsx';
import { GrantFilters, type Wanted } from './grant-filters.tsx';
import { GrantState, isLiving, stageOf } from './grant-state.tsx';
import { RevokeAll } from './revoke-all.tsx';
import { RevokeChosen } from './revoke-chosen.tsx';

const words = messages.apps;

/**
 * Shows what the operator allowed each app, app by app. Ended permissions keep their place. The list shows free access,
 * for which the node asks nobody, on demand.
 */
export function AppsPage() {
  const [wanted, setWanted] = useState<Wanted>({ order: 'used' });
  const [which, setWhich] = useState<'allowed' | 'free'>('allowed');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const grants = useInfiniteQuery(
    queries.apps.grants.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor, which, ...wanted }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  const choose = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const isFiltered = wanted.text !== undefined || wanted.unusedDays !== undefined;
  return (
    <Page title={words.title} lead={words.lead}>
      <FrozenGrants />
      <GrantFilters
        wanted={wanted}
        onWanted={(next) => {
          setWanted(next);
          setChosen([]);
        }}
      />
      <Loaded query={grants} skeleton={<AppsSkeleton />}>
        {({ pages }) => {
          const byClient = Map.groupBy(
            pages.flatMap(({ items }) => items),
            ({ client }) => client.id,
          );
          const free = pages[0]?.free ?? 0;
          return (
            <Stack gap="lg">
              {byClient.size === 0 && <NoApps isFiltered={isFiltered} />}
              {chosen.length > 0 && <RevokeChosen ids={chosen} onDone={() => setChosen([])} />}
              {[...byClient].map(([id, list]) => (
                <ClientCard key={id} grants={list} chosen={chosen} onChoose={choose} />
              ))}
              {free > 0 && (
                <Text size="sm" c="dimmed" data-testid="free-access">
                  {words.free({ count: free })}{' '}
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    onClick={() => {
                      setWhich(which === 'free' ? 'allowed' : 'free');
                      setChosen([]);
                    }}
                  >
                    {which === 'free' ? words.showAllowed : words.showFree}
                  </Button>
                </Text>
              )}
              <LoadMore list={grants} />
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

function ClientCard({ grants, chosen, onChoose }: { grants: Grant[]; chosen: readonly string[]; onChoose: (id: string) => void }) {
  const mayRevoke = useMayCall('apps.revokeSeveral');
  const [newest] = grants;
  if (newest === undefined) return null;
  return (
    <Card
      flush
      title={<ClientName client={newest.client} expands={false} />}
      aside={
        <Group gap="md">
          <Text size="sm" c="dimmed" className={classes.count}>
            {words.grants({ count: grants.length })}
          </Text>
          {grants.some(isLiving) && mayRevoke && <RevokeAll client={newest.client} />}
        </Group>
      }
    >
      <ul className={classes.grants}>
        {grants.map((grant) => (
          <li key={grant.id} className={classes.row}>
            {isLiving(grant) && mayRevoke && (
              <Checkbox
                className={classes.choice}
                aria-label={words.choose({ client: messages.consent.clientName(grant.client) })}
                checked={chosen.includes(grant.id)}
                onChange={() => onChoose(grant.id)}
              />
            )}
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
          {spends && `${words.payments({ count: grant.payments })} · `}
          {grant.lastUsedAt === null ? words.neverUsed : words.used({ when: whenText(grant.lastUsedAt, now) })} ·{' '}
          {words.since({ when: whenText(grant.createdAt, now) })}
        </span>
      </span>
    </PlainLink>
  );
}

function NoApps({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) return <EmptyList icon={IconPlugConnected} title={words.noneFound} advice={words.noneFoundAdvice} />;
  const link = { to: '/accounts', words: messages.overview.showAddress } as const;
  return <EmptyList icon={IconPlugConnected} title={words.none} advice={words.noneAdvice} link={link} />;
}

function AppsSkeleton() {
  return (
    <Stack gap="lg">
      <Skeleton height={220} radius="lg" />
      <Skeleton height={160} radius="lg" />
    </Stack>
  );
}
