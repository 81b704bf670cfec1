import { Alert, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Peer } from '../../../src-shared/operator-contract/peers.ts';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { Card } from '../../components/page/card.tsx';
import { AnchorLink } from '../../components/page/links.tsx';
import { Loaded } from '../../components/page/loaded.tsx';
import { CopyableBlock } from '../../components/text/copyable-block.tsx';
import { queries } from '../../transport/operator-client.ts';
import { ConnectionSteps } from './connection-steps.tsx';
import { ASSETS_CALL, assetCall, PEER_CALL, peerVariables, type Tokens } from './rafiki-calls.ts';

const words = messages.rafiki;

/** The calls of Rafiki's admin API with this node's values, and the look whether the connection works. */
export function RafikiSetup({ peer, tokens }: { peer: Peer; tokens: Tokens | undefined }) {
  const [assetId, setAssetId] = useState('');
  return (
    <>
      <Card title={words.currencyTitle}>
        <Stack gap="md">
          <Text>{words.currencyWords({ code: peer.assetCode, scale: peer.assetScale })}</Text>
          <CopyableBlock value={ASSETS_CALL} what={words.assetsCall} />
          <Text size="sm" c="dimmed">
            {words.currencyMissing}
          </Text>
          <CopyableBlock value={assetCall(peer)} what={words.assetCall} />
          <TextInput
            label={words.assetId}
            description={words.assetIdHint}
            value={assetId}
            onChange={(event) => setAssetId(event.currentTarget.value)}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
          />
        </Stack>
      </Card>
      <PeerCall peer={peer} tokens={tokens} assetId={assetId.trim()} />
      <ConnectionSteps id={peer.id} />
      <Group>
        <AnchorLink to="/peers/$id" params={{ id: peer.id }}>
          {words.toPeer({ name: peer.name })}
        </AnchorLink>
      </Group>
    </>
  );
}

function PeerCall({ peer, tokens, assetId }: { peer: Peer; tokens: Tokens | undefined; assetId: string }) {
  const self = useQuery(queries.peers.self.queryOptions());
  const info = useQuery(queries.node.info.queryOptions());
  const alike = useQuery(queries.peers.list.queryOptions({ input: { text: peer.ilpAddress, limit: 100 } }));
  const first = alike.data?.items.find(({ ilpAddress }) => ilpAddress === peer.ilpAddress);
  const isFurther = first !== undefined && first.id !== peer.id;
  return (
    <Card title={words.peerTitle} accent={tokens !== undefined}>
      <Stack gap="md">
        <Text>{words.peerWords}</Text>
        {tokens === undefined ? (
          <Text c="dimmed">{words.tokensGone}</Text>
        ) : (
          <Alert color="orange" data-notice>
            {words.tokensOnce}
          </Alert>
        )}
        <CopyableBlock value={PEER_CALL} what={words.peerCall} />
        <Loaded query={self} skeleton={<Skeleton height={240} />}>
          {(own) => (
            <CopyableBlock
              value={peerVariables({
                ...peer,
                assetId: assetId === '' ? words.assetIdMissing : assetId,
                name: info.data?.publicUrl ?? '',
                self: own,
                tokens: tokens ?? { ours: words.tokenGone, theirs: words.tokenGone },
                isFurther,
              })}
              what={words.peerVariables}
            />
          )}
        </Loaded>
        <Text size="sm" c="dimmed">
          {isFurther ? words.further : words.firstPeer}
        </Text>
      </Stack>
    </Card>
  );
}
