import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Card } from '../../components/page/card.tsx';
import { queries } from '../../transport/operator-client.ts';
import classes from '../settings.module.css';
import { nameOf } from './person-name.ts';
import { RefundLimits } from './refund-limits.tsx';
import { SecondPerson } from './second-person.tsx';

const words = messages.people;

/**
 * In the desktop app: the people and limits that came with the books of a served node (decisions.md#D-188). Whose books
 * have neither sees nothing.
 */
export function AppPeopleCard() {
  const { data: listed } = useQuery(queries.people.list.queryOptions());
  const { data: second } = useQuery(queries.secondPerson.get.queryOptions());
  const { data: refunds } = useQuery(queries.refundLimits.list.queryOptions());
  const others = listed?.people.filter(({ isYou }) => !isYou) ?? [];
  if (others.length + (second?.limits.length ?? 0) + (refunds?.limits.length ?? 0) === 0) return null;
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Text c="dimmed">{words.inApp}</Text>
        {others.length > 0 && (
          <ul className={classes.browsers}>
            {others.map((person) => (
              <li key={person.id}>{words.of({ name: nameOf(person), role: words.roles[person.role] })}</li>
            ))}
          </ul>
        )}
        <RefundLimits />
        <SecondPerson />
      </Stack>
    </Card>
  );
}
