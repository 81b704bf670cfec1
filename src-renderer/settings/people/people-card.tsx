import { Button, Group, Stack, Text } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Allowed } from '../../components/page/allowed.tsx';
import { Card } from '../../components/page/card.tsx';
import { Empty } from '../../components/page/empty.tsx';
import { Failure } from '../../components/page/failure.tsx';
import { queries } from '../../transport/operator-client.ts';
import { useStateCell } from '../../transport/state-cell.ts';
import { you } from '../../transport/you.ts';
import classes from '../settings.module.css';
import { InviteDialog } from './invite-dialog.tsx';
import { PersonLine } from './person-line.tsx';
import { RefundLimits } from './refund-limits.tsx';
import { SecondPerson } from './second-person.tsx';

const words = messages.people;

/** The persons who work with this console. Who works alone is only offered to invite somebody. */
export function PeopleCard() {
  const [inviting, setInviting] = useState(false);
  const listed = useQuery(queries.people.list.queryOptions());
  const people = listed.data?.people ?? [];
  const byPin = useStateCell(you)?.byPin === true;
  const invite = <Button onClick={() => setInviting(true)}>{words.invite}</Button>;
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Text c="dimmed">{words.lead}</Text>
        <Failure error={listed.error} />
        {people.length === 1 && <Empty icon={IconUsers} title={words.alone} advice={words.aloneAdvice} action={invite} />}
        {people.length > 1 && (
          <>
            <ul className={classes.browsers}>
              {people.map((person) => (
                <PersonLine key={person.id} person={person} />
              ))}
            </ul>
            <Allowed to="people.invite">
              <Group>{invite}</Group>
              <RefundLimits />
              <SecondPerson />
            </Allowed>
            {byPin && <Text size="sm">{messages.errors.byCode.NOT_BY_PIN}</Text>}
          </>
        )}
      </Stack>
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Card>
  );
}
