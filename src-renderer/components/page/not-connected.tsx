import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { queries } from '../../transport/operator-client.ts';
import { AnchorLink } from './links.tsx';

/** Says that no other wallet can pay, on a node that others can reach and that has no peer at work. */
export function NotConnected() {
  const { data } = useQuery(queries.node.info.queryOptions());
  if (data === undefined || data.connected || !data.reachableByOthers) return null;
  return (
    <Alert data-notice color="orange" p="sm">
      {messages.getPaid.notConnected}{' '}
      <AnchorLink to="/peers" inherit underline="always">
        {messages.getPaid.seePeers}
      </AnchorLink>
    </Alert>
  );
}
