import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Copy } from '../components/copy.tsx';
import { Facts } from '../components/facts.tsx';
import { Loaded } from '../components/loaded.tsx';
import { messages } from '../messages.ts';
import { queries } from '../operator-client.ts';
import classes from './peers.module.css';

const words = messages.peers;

/** This node's own ILP address and endpoint, to give away. */
export function SelfFacts() {
  const self = useQuery(queries.peers.self.queryOptions());
  return (
    <Loaded query={self} skeleton={<Skeleton height={64} />}>
      {({ ilpAddress, endpoint }) => (
        <Facts
          facts={[
            [words.ilpAddressOwn, <Copyable key="address" text={ilpAddress} what={words.ilpAddressOwn} />],
            [words.endpointOwn, <Copyable key="endpoint" text={endpoint} what={words.endpointOwn} />],
          ]}
        />
      )}
    </Loaded>
  );
}

/** A text to give away as it stands. */
export function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span className={classes.copyable}>
      <bdi>{text}</bdi>
      <Copy value={text} what={what.toLowerCase()} />
    </span>
  );
}
