import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { Session } from '../../src-shared/operator-contract/console/sessions.ts';
import { namesOfBrowser } from '../../src-shared/words/console/browser-name.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText, distanceText } from '../../src-shared/words/date-text.ts';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { nameOf } from './people/person-name.ts';
import classes from './settings.module.css';

const words = messages.lock.browsers;
/** How often “last used” is written anew, in milliseconds. */
const EVERY_MS = 30_000;
/** Who has nothing but console links gets a new one only at the computer, and so is not signed out by a slip. */
const FIRST_OWNER = 'owner';

/**
 * The browsers in which the person is signed in, and for an owner those of everybody. Each can be signed out from here.
 */
export function SessionsCard() {
  const listed = useQuery(queries.sessions.list.queryOptions());
  const ways = useQuery(queries.ways.list.queryOptions());
  const comesBack = ways.data !== undefined && (ways.data.passkeys.length > 0 || ways.data.password !== null);
  const report = useReporting();
  const onSuccess = ({ ended }: { ended: number }) => report.done(words.ended({ count: ended }), 'sessions');
  const end = useMutation(queries.sessions.end.mutationOptions({ onSuccess, onError: report.failed }));
  const endOthers = useMutation(queries.sessions.endOthers.mutationOptions({ onSuccess, onError: report.failed }));
  const sessions = listed.data?.sessions ?? [];
  const others = sessions.filter(({ isThisOne, person }) => !isThisOne && person.isYou);
  return (
    <Card title={words.title}>
      <Stack gap="md">
        <Text c="dimmed">{words.lead}</Text>
        <ul className={classes.browsers}>
          {sessions.map((session) => (
            <Line
              key={session.id}
              session={session}
              comesBack={comesBack}
              isBusy={end.isPending}
              onEnd={() => end.mutate({ id: session.id })}
            />
          ))}
        </ul>
        <Failure error={listed.error} />
        {others.length > 0 && (
          <Group gap="md">
            {others.length > 1 && (
              <Button variant="default" onClick={() => endOthers.mutate({})} loading={endOthers.isPending}>
                {words.endOthers}
              </Button>
            )}
            <Text size="sm" c="dimmed">
              {words.hint}
            </Text>
          </Group>
        )}
      </Stack>
    </Card>
  );
}

interface LineProps {
  session: Session;
  /** Whether the person at this page has a passkey or a password. */
  comesBack: boolean;
  isBusy: boolean;
  onEnd: () => void;
}

function Line({ session, comesBack, isBusy, onEnd }: LineProps) {
  const now = useNodeTime(EVERY_MS);
  const { person } = session;
  const name = words.name(namesOfBrowser(session.userAgent));
  return (
    <li>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <div>
          <Group gap="xs">
            <Text fw={500}>{name}</Text>
            {session.isThisOne && (
              <Badge variant="light" tt="none">
                {words.thisOne}
              </Badge>
            )}
          </Group>
          {!person.isYou && (
            <Text size="sm">
              <bdi>{nameOf(person)}</bdi> · {messages.people.roles[person.role]}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {words.times({ signedIn: dateTimeText(session.signedInAt), lastUsed: distanceText(session.lastUsedAt, now) })}
          </Text>
        </div>
        {(!session.isThisOne || person.id !== FIRST_OWNER || comesBack) && (
          <Button size="xs" variant="default" flex="none" aria-label={words.endNamed({ browser: name })} onClick={onEnd} disabled={isBusy}>
            {words.end}
          </Button>
        )}
      </Group>
    </li>
  );
}
