import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Loaded } from '../components/page/loaded.tsx';
import { Copyable } from '../components/text/copyable.tsx';
import { Facts } from '../components/text/facts.tsx';
import { queries } from '../transport/operator-client.ts';

const words = messages.peers;

/** This node's own ILP addresses and endpoint, to give away. */
export function SelfFacts() {
  const self = useQuery(queries.peers.self.queryOptions());
  return (
    <Loaded query={self} skeleton={<Skeleton height={64} />}>
      {({ ilpAddress, endpoint, addresses }) => (
        <Stack gap="sm">
          <Facts
            facts={[
              [words.ilpAddressOwn, <Copyable key="address" value={ilpAddress} what={words.ilpAddressOwn} literal />],
              [words.endpointOwn, <Copyable key="endpoint" value={endpoint} what={words.endpointOwn} literal />],
              ...addresses.map((address): [string, ReactNode] => {
                const what = words.addressOf({ code: address.assetCode });
                return [what, <Copyable key={address.ilpAddress} value={address.ilpAddress} what={what} literal />];
              }),
            ]}
          />
          {addresses.length > 0 && (
            <Text c="dimmed" size="sm">
              {words.addressesHint}
            </Text>
          )}
        </Stack>
      )}
    </Loaded>
  );
}
