import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Peer } from '../../src-shared/operator-contract/peers.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText, distanceText } from '../../src-shared/words/date-text.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { AnchorLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Split } from '../components/page/split.tsx';
import { Status } from '../components/page/status.tsx';
import { Facts } from '../components/text/facts.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { useReporting } from '../transport/reporting.ts';
import { GiveThem } from './give-them.tsx';
import { PeerActions } from './peer-actions.tsx';
import { peerState, positionText } from './peer-text.ts';
import classes from './peers.module.css';
import { SettleDialog } from './settle-dialog.tsx';

const route = getRouteApi('/desk/peers/$id');
const words = messages.peers;

/** Shows one peer: what is owed, whether the peer answers, and what the operator can do. */
export function PeerPage() {
  const { id } = route.useParams();
  const [token, setToken] = useState<string>();
  const peer = useQuery(queries.peers.get.queryOptions({ input: { id } }));
  return (
    <Loaded query={peer} skeleton={<Skeleton height={320} radius="lg" />}>
      {(data) => (
        <Page
          up="/peers"
          title={<InertText text={data.name} expands={false} />}
          actions={
            data.state !== 'removed' && (
              <Allowed to="peers.edit">
                <PeerActions peer={data} onToken={setToken} />
              </Allowed>
            )
          }
        >
          {token !== undefined && <GiveThem token={token} onDone={() => setToken(undefined)} />}
          <Split
            main={
              <>
                <Position peer={data} />
                <Connection peer={data} />
              </>
            }
            side={<Details peer={data} />}
          />
        </Page>
      )}
    </Loaded>
  );
}

function Position({ peer }: { peer: Peer }) {
  // The dialog exists only while it is open, so that each opening is an intention of its own.
  const [opening, setOpening] = useState(0);
  const [opened, setOpened] = useState(false);
  const money = (value: bigint) => amountText({ ...peer, value });
  const limit = (value: bigint | null) => (value === null ? words.withoutLimit : money(value));
  return (
    <Card title={words.position}>
      <Stack gap="sm">
        <Text className={classes.position} data-testid="peer-position">
          {positionText(peer)}
        </Text>
        {peer.inFlight > 0n && <Text c="dimmed">{words.inFlight({ amount: money(peer.inFlight) })}</Text>}
        <Text c="dimmed" size="sm">
          {words.limits({ credit: money(peer.creditLimit), debt: limit(peer.debtLimit) })}
        </Text>
        {peer.state !== 'removed' && (
          <Group>
            <Allowed to="peers.settle">
              <Button
                variant="default"
                onClick={() => {
                  setOpening(opening + 1);
                  setOpened(true);
                }}
              >
                {words.settle}
              </Button>
            </Allowed>
          </Group>
        )}
      </Stack>
      {opening > 0 && <SettleDialog key={opening} peer={peer} opened={opened} onClose={() => setOpened(false)} />}
    </Card>
  );
}

function Connection({ peer }: { peer: Peer }) {
  const report = useReporting();
  const test = useMutation(queries.peers.test.mutationOptions({ onSuccess: () => report.changed('peers') }));
  const now = useNodeTime(30_000);
  const { tone, text } = peerState(peer);
  const result = test.data;
  // The page's clock moves each half a minute, and the test may have seen the peer since.
  const seen = peer.lastSeenAt !== null && peer.lastSeenAt < now ? peer.lastSeenAt : now;
  return (
    <Card title={words.connection}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Status tone={tone}>{text}</Status>
          <Text c="dimmed" size="sm">
            {peer.lastSeenAt === null ? words.notSeen : words.seen({ when: distanceText(seen, now) })}
          </Text>
        </Group>
        {peer.lastProblem !== null && (
          <Alert color="orange" data-notice icon={<IconAlertTriangle aria-hidden />} title={words.lastProblem}>
            <Stack gap="xs">
              {words.problems[peer.lastProblem]}
              {peer.inFlight > 0n && (
                <>
                  <span>
                    {words.waiting[peer.deduplicates ? 'asked' : 'read']({ amount: amountText({ ...peer, value: peer.inFlight }) })}
                  </span>
                  <AnchorLink to="/payments" search={{ direction: 'out' }} size="sm">
                    {words.waitingPayments}
                  </AnchorLink>
                </>
              )}
            </Stack>
          </Alert>
        )}
        {peer.state === 'active' && (
          <Allowed to="peers.test">
            <Text c="dimmed" size="sm">
              {words.testLead}
            </Text>
            <Group>
              <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ id: peer.id })}>
                {words.test}
              </Button>
            </Group>
          </Allowed>
        )}
        <div role="status">
          {result !== undefined && (
            <Alert color={result.outcome === 'good' ? 'pine' : 'orange'} title={words.tested[result.outcome]}>
              {result.finding !== peer.lastProblem && words.testText(result)}{' '}
              {(result.outcome === 'good' || result.outcome === 'careful') && words.took({ ms: result.milliseconds })}
            </Alert>
          )}
        </div>
        <Failure error={test.error} />
      </Stack>
    </Card>
  );
}

function Details({ peer }: { peer: Peer }) {
  const long = (text: string) => <InertText key={text} text={text} length={160} />;
  return (
    <Card title={words.facts}>
      <Facts
        facts={[
          [words.currency, peer.assetCode],
          [words.ilpAddress, long(peer.ilpAddress)],
          [words.endpoint, long(peer.endpoint)],
          [words.routes, peer.routes.length === 0 ? null : long(peer.routes.join(', '))],
          [words.maxPacket, peer.maxPacketAmount === null ? null : amountText({ ...peer, value: peer.maxPacketAmount })],
          [words.since, dateTimeText(peer.createdAt)],
        ]}
      />
    </Card>
  );
}
