import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconFileText } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { HealthCheck } from '../../src-shared/operator-contract/health-checks.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Split } from '../components/page/split.tsx';
import { Status } from '../components/page/status.tsx';
import { queries } from '../transport/operator-client.ts';
import { BundleCard } from './bundle-card.tsx';
import { DiskCard } from './disk-card.tsx';
import classes from './health.module.css';
import { ReachCard } from './reach-card.tsx';
import { ReplicasCard } from './replicas-card.tsx';

const words = messages.health;

/** Shows every check of the node, whether others can reach it, and what helps to find out more. */
export function HealthPage() {
  const overview = useQuery(queries.node.overview.queryOptions());
  return (
    <Page title={words.title} lead={words.lead}>
      <Split
        main={
          <>
            <Allowed to="health.reach">
              <ReachCard />
            </Allowed>
            <ReplicasCard />
            <DiskCard />
          </>
        }
        side={
          <>
            <Card title={words.checks}>
              <Loaded query={overview} skeleton={<Skeleton height={320} />}>
                {({ health }) => (
                  <ul className={classes.list} aria-label={words.checks}>
                    {health.map((check) => (
                      <Check key={check.name} check={check} />
                    ))}
                  </ul>
                )}
              </Loaded>
            </Card>
            <Allowed to="health.supportBundle">
              <BundleCard />
            </Allowed>
            <Allowed to="health.log">
              <Card title={words.log.card}>
                <Stack gap="sm" align="flex-start">
                  <Text>{words.log.cardWords}</Text>
                  <ButtonLink to="/health/log" variant="default" leftSection={<IconFileText size={18} aria-hidden />}>
                    {words.log.open}
                  </ButtonLink>
                </Stack>
              </Card>
            </Allowed>
          </>
        }
      />
    </Page>
  );
}

function Check({ check }: { check: HealthCheck }) {
  const { name, state } = check;
  return (
    <li className={classes.item}>
      <Group justify="space-between" gap="sm">
        <Text fw={550}>{messages.overview.healthNames[name]}</Text>
        <Status tone={state}>{messages.overview.healthStates[state]}</Status>
      </Group>
      <Text size="sm" c="dimmed">
        {messages.health.checkText(check)}
      </Text>
    </li>
  );
}
