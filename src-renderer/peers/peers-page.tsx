import { Group, Stack, Text } from '@mantine/core';
import { IconAffiliate, IconMail } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Peer } from '../../src-shared/operator-contract/peers.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { distanceText } from '../../src-shared/words/date-text.ts';
import { SearchFilter } from '../components/filters/text-filter.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { ButtonLink, PlainLink } from '../components/page/links.tsx';
import { LoadMore } from '../components/page/load-more.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { MANY_ROWS, RowContent, Rows, RowsSkeleton, rowClass } from '../components/page/rows.tsx';
import { Status } from '../components/page/status.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { queries } from '../transport/operator-client.ts';
import { InvitationsCard } from './invitations/invitations-card.tsx';
import { peerState, positionText } from './peer-text.ts';
import { SelfFacts } from './self-facts.tsx';

const words = messages.peers;

/** Shows the nodes with which this one exchanges packets. */
export function PeersPage() {
  const [text, setText] = useState<string>();
  const peers = useInfiniteQuery(
    queries.peers.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor, ...(text !== undefined && { text }) }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  const list = peers.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Group gap="sm">
          <InviteButtons />
          <ButtonLink to="/peers/rafiki" variant="subtle">
            {messages.rafiki.link}
          </ButtonLink>
          <ButtonLink to="/peers/new" variant="subtle">
            {words.add}
          </ButtonLink>
        </Group>
      }
    >
      {(text !== undefined || list.length >= MANY_ROWS) && (
        <search>
          <SearchFilter words={words} text={text} onFilter={setText} />
        </search>
      )}
      <Loaded query={peers} skeleton={<Card flush>{<RowsSkeleton count={3} />}</Card>}>
        {() => (
          <Card flush>
            {list.length === 0 ? (
              <Empty
                icon={IconAffiliate}
                title={text === undefined ? words.none : words.noneFound}
                advice={text === undefined ? words.noneAdvice : words.noneFoundAdvice}
              />
            ) : (
              <>
                <Rows label={words.list}>
                  {list.map((peer) => (
                    <PeerRow key={peer.id} peer={peer} />
                  ))}
                </Rows>
                <LoadMore list={peers} />
              </>
            )}
          </Card>
        )}
      </Loaded>
      <InvitationsCard />
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

/** The two ways to become peers without typing addresses and tokens. */
function InviteButtons() {
  return (
    <>
      <ButtonLink to="/peers/invite" leftSection={<IconMail size={18} aria-hidden />}>
        {messages.invitations.invite}
      </ButtonLink>
      <ButtonLink to="/peers/accept" variant="default">
        {messages.invitations.have}
      </ButtonLink>
    </>
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
          detail={`${peer.assetCode} · ${peer.lastSeenAt === null ? words.notSeenShort : words.seen({ when: distanceText(peer.lastSeenAt, now) })}`}
          end={positionText(peer)}
          endDetail={<Status tone={tone}>{text}</Status>}
        />
      </PlainLink>
    </li>
  );
}
