import { Stack, Text } from '@mantine/core';
import { IconAffiliate, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Peer } from '../../src-shared/operator-contract/peers.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { distanceText } from '../../src-shared/words/date-text.ts';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { ButtonLink, PlainLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { RowContent, Rows, RowsSkeleton, rowClass } from '../components/page/rows.tsx';
import { Status } from '../components/page/status.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { peerState, positionText } from './peer-text.ts';
import { SelfFacts } from './self-facts.tsx';

const words = messages.peers;

/** Shows the nodes with which this one exchanges packets. */
export function PeersPage() {
  const peers = useQuery(queries.peers.list.queryOptions());
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <ButtonLink to="/peers/new" leftSection={<IconPlus size={18} aria-hidden />}>
          {words.add}
        </ButtonLink>
      }
    >
      <Loaded query={peers} skeleton={<Card flush>{<RowsSkeleton count={3} />}</Card>}>
        {(data) => (
          <Card flush>
            {data.length === 0 ? (
              <Empty icon={IconAffiliate} title={words.none} advice={words.noneAdvice} />
            ) : (
              <Rows label={words.list}>
                {data.map((peer) => (
                  <PeerRow key={peer.id} peer={peer} />
                ))}
              </Rows>
            )}
          </Card>
        )}
      </Loaded>
      <Card title={words.self}>
        <Stack gap="md">
          <Text c="dimmed" size="sm">
            {words.selfLead}
          </Text>
          <SelfFacts />
        </Stack>
      </Card>
    </Page>
  );
}

function PeerRow({ peer }: { peer: Peer }) {
  const now = useNodeTime(30_000);
  const { tone, text } = peerState(peer);
  return (
    <li>
      <PlainLink to="/peers/$id" params={{ id: peer.id }} className={rowClass}>
        <RowContent
          icon={<IconAffiliate size={18} />}
          title={<InertText text={peer.name} expands={false} />}
          detail={`${peer.assetCode} · ${peer.lastSeenAt === null ? words.notSeenShort : words.seen(distanceText(peer.lastSeenAt, now))}`}
          end={positionText(peer)}
          endDetail={<Status tone={tone}>{text}</Status>}
        />
      </PlainLink>
    </li>
  );
}
