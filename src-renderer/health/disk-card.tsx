import { Alert, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Card } from '../components/page/card.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { queries } from '../transport/operator-client.ts';
import classes from './health.module.css';

const words = messages.health.disk;

/** What takes how much room on the disk, and what the node will remove when. */
export function DiskCard() {
  const disk = useQuery(queries.health.disk.queryOptions());
  return (
    <Card title={words.title}>
      <Loaded query={disk} skeleton={<Skeleton height={320} />}>
        {({ total, free, room, perDay, shrinks, kinds, removed, held, at }) => (
          <Stack gap="md">
            <Text>
              {words.lead(total, room)} {words.growth(perDay, room)}
            </Text>
            <ul className={classes.list} aria-label={words.kindsList}>
              {[
                ...kinds.map(({ kind, bytes }) => ({ name: words.kinds[kind], bytes })),
                { name: words.free({ shrinks }), bytes: free },
              ].map(({ name, bytes }) => (
                <li key={name} className={classes.size}>
                  <Group justify="space-between" gap="sm" wrap="nowrap">
                    <Text size="sm">{name}</Text>
                    <Text size="sm" className={classes.bytes}>
                      {words.bytes(bytes)}
                    </Text>
                  </Group>
                </li>
              ))}
            </ul>
            <div>
              <Text fw={550}>{words.removedTitle}</Text>
              {held && (
                <Alert color="yellow" my="xs">
                  {words.held(held.before, held.until)}
                </Alert>
              )}
              <ul className={classes.removed} aria-label={words.removedTitle}>
                {removed.map(({ kind, days }) => (
                  <li key={kind}>{words.removed(kind, days)}</li>
                ))}
              </ul>
              <Text size="sm" c="dimmed">
                {words.kept}
              </Text>
            </div>
            <Text size="sm" c="dimmed">
              {words.measured(at)}
            </Text>
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
