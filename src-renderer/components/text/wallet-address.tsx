import { Alert, Stack, Text } from '@mantine/core';
import { IconWorldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { messages } from '../../../src-shared/words/console/messages.ts';
import { dataFolder } from '../../transport/data-folder.ts';
import { queries } from '../../transport/operator-client.ts';
import { Copy } from './copy.tsx';
import { CopyableBlock } from './copyable-block.tsx';
import { QrCode } from './qr-code.tsx';
import classes from './wallet-address.module.css';

/** A wallet address to give away: to scan, to copy, to read. */
export function WalletAddress({ address }: { address: string }) {
  return (
    <Stack align="center" gap="md">
      <QrCode text={address} />
      <Text ff="monospace" dir="ltr" className={classes.address} data-testid="wallet-address">
        {address}
      </Text>
      <Copy value={address} what={messages.accounts.walletAddress.toLowerCase()} large />
    </Stack>
  );
}

/** Says that only this computer can reach the node's addresses, while that is so. */
export function OnlyHere() {
  const info = useQuery(queries.node.info.queryOptions());
  if (info.data === undefined || info.data.reachableByOthers) return null;
  return (
    <Alert data-notice color="orange" icon={<IconWorldOff aria-hidden />} title={messages.welcome.onlyHere}>
      <Stack gap="xs">
        <span>{messages.welcome.onlyHereAdvice}</span>
        <CopyableBlock value={messages.welcome.onlyHereCommand(info.data.host, dataFolder)} what={messages.common.command} />
      </Stack>
    </Alert>
  );
}
