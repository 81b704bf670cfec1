import { Alert, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconClockOff, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { distanceText, timeText } from '../../src-shared/words/date-text.ts';
import { Card } from '../components/page/card.tsx';
import { EmptyList } from '../components/page/empty-list.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useMayCall } from '../transport/you.ts';
import classes from './approvals-page.module.css';
import { ConsentLines } from './consent-lines.tsx';
import { useLapsed } from './use-lapsed.ts';

const words = messages.approvals;

/** The requests that wait for the operator, oldest first. */
export function ApprovalsPage() {
  const requests = useQuery(queries.approvals.list.queryOptions());
  const now = useNodeTime(1000);
  const { lapsed, dismiss } = useLapsed(requests.data, now);
  return (
    <Page title={words.title} lead={words.lead}>
      {lapsed.map(({ id, client, lapsesAt }) => (
        <Alert
          key={id}
          color="gray"
          icon={<IconClockOff aria-hidden />}
          withCloseButton
          closeButtonLabel={words.dismiss}
          onClose={() => dismiss(id)}
          role="status"
        >
          {words.lapsed({ client: messages.consent.clientName(client), when: timeText(lapsesAt) })}
        </Alert>
      ))}
      <Loaded query={requests} skeleton={<Skeleton height={150} radius="lg" />}>
        {(data) => {
          const waiting = data.filter(({ lapsesAt }) => lapsesAt > now);
          if (waiting.length === 0) return <NothingWaits />;
          return (
            <Stack gap="md" component="ul" className={classes.list}>
              {waiting.map((request) => (
                <li key={request.id}>
                  <WaitingRequest request={request} now={now} />
                </li>
              ))}
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

function WaitingRequest({ request, now }: { request: ApprovalRequest; now: Date }) {
  const decides = useMayCall('approvals.approve');
  const client = messages.consent.clientName(request.client);
  return (
    <Card>
      <ConsentLines lines={messages.consent.asked(request)} expands={false} />
      <Group justify="space-between" mt="md">
        <Text size="sm" c="dimmed">
          {words.lapsesIn({ distance: distanceText(request.lapsesAt, now) })}
        </Text>
        <ButtonLink
          to="/approvals/$id"
          params={{ id: request.id }}
          variant={decides ? 'filled' : 'default'}
          aria-label={decides ? words.reviewOf({ client }) : words.lookAtRequest({ client })}
        >
          {decides ? words.review : words.arrivedAction}
        </ButtonLink>
      </Group>
    </Card>
  );
}

function NothingWaits() {
  const link = { to: '/apps', words: words.seeApps } as const;
  return <EmptyList icon={IconShieldCheck} title={words.none} advice={words.noneAdvice} link={link} />;
}
