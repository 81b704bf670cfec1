import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReplicasAnswer } from '../../src-shared/operator-contract/health.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Status } from '../components/page/status.tsx';
import { queries } from '../transport/operator-client.ts';
import classes from './health.module.css';

const words = messages.health.replicas;

/** The processes that share a database. A node with its books in the data folder has none, and no such card. */
export function ReplicasCard() {
  const info = useQuery(queries.node.info.queryOptions());
  return typeof info.data?.database === 'string' ? <Replicas /> : null;
}

function Replicas() {
  const answer = useQuery(queries.health.replicas.queryOptions());
  return (
    <Card title={words.title}>
      <Loaded query={answer} skeleton={<Skeleton height={160} />}>
        {({ shared }) => shared && <Listed shared={shared} />}
      </Loaded>
    </Card>
  );
}

function Listed({ shared: { replicas, engine, database, archivedAt, exportedAt, at } }: { shared: ReplicasAnswer }) {
  return (
    <Stack gap="md">
      <Text>{words.lead({ count: replicas.length, engine, database })}</Text>
      <ul className={classes.list} aria-label={words.title}>
        {replicas.map((replica) => (
          <Listing key={`${replica.name} ${replica.since.getTime()}`} replica={replica} />
        ))}
      </ul>
      <Text size="sm">{words.backup(archivedAt, exportedAt)}</Text>
      <Text size="sm" c="dimmed">
        {words.read(at)}
      </Text>
    </Stack>
  );
}

function Listing({ replica }: { replica: ReplicasAnswer['replicas'][number] }) {
  const { name, own, version, host, since, turns, clockMs } = replica;
  const state = words.stateOf(replica);
  return (
    <li className={classes.item}>
      <Group justify="space-between" gap="sm">
        <Text fw={550}>{own ? words.own({ name }) : name}</Text>
        <Status tone={state === 'runs' ? 'good' : 'warning'}>{words.states[state]}</Status>
      </Group>
      <Text size="sm" c="dimmed">
        {words.facts(version, host, since)}
      </Text>
      <Text size="sm" c="dimmed">
        {words.figures(turns, clockMs)}
      </Text>
    </li>
  );
}
