import { Alert, Code, Stack, Text } from '@mantine/core';
import { IconWorldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { encode } from 'uqr';
import { messages } from '../messages.ts';
import { queries } from '../operator-client.ts';
import { Copy } from './copy.tsx';
import classes from './wallet-address.module.css';

/** A square code of `text`: black on white in light and dark, so that every camera reads it. */
function QrCode({ text }: { text: string }) {
  const { size, path } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: 3 });
    const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
    return { size, path };
  }, [text]);
  return (
    <svg
      className={classes.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={messages.accounts.qrLabel(text)}
    >
      <path d={path} />
    </svg>
  );
}

/** A wallet address to give away: to scan, to copy, to read. */
export function WalletAddress({ address }: { address: string }) {
  return (
    <Stack align="center" gap="md">
      <QrCode text={address} />
      <Text ff="monospace" className={classes.address} data-testid="wallet-address">
        {address}
      </Text>
      <Copy value={address} what={messages.accounts.walletAddress.toLowerCase()} large />
    </Stack>
  );
}

/** Says that nobody else can reach the node's addresses, while that is so. */
export function OnlyHere() {
  const info = useQuery(queries.node.info.queryOptions());
  if (info.data === undefined || info.data.reachableByOthers) return null;
  return (
    <Alert color="orange" icon={<IconWorldOff aria-hidden />} title={messages.welcome.onlyHere}>
      {messages.welcome.onlyHereAdvice}
      <Code block mt="xs" className={classes.command}>
        {messages.welcome.onlyHereCommand(info.data.host)}
      </Code>
    </Alert>
  );
}
