import { Alert, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconChartBar, IconFileSpreadsheet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { AnchorLink, ButtonLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Split } from '../components/page/split.tsx';
import { Figure } from '../components/text/figure.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { WalletAddress } from '../components/text/wallet-address.tsx';
import { queries } from '../transport/operator-client.ts';
import { ClientKeys } from './client-keys.tsx';
import { Movements } from './movements.tsx';
import { TransferDialog, type TransferKind } from './transfer-dialog.tsx';

const route = getRouteApi('/desk/accounts/$id');
const words = messages.accounts;

/** Shows one account: its money, its address, its book and the keys of its apps. */
export function AccountPage() {
  const { id } = route.useParams();
  const account = useQuery(queries.accounts.get.queryOptions({ input: { id } }));
  return (
    <Loaded query={account} skeleton={<AccountSkeleton />}>
      {(data) => (
        <Page
          up="/accounts"
          title={<InertText text={data.publicName} expands={false} />}
          actions={
            <Group gap="sm">
              <ButtonLink
                to="/reports"
                search={{ account: data.id }}
                variant="default"
                leftSection={<IconChartBar size={18} aria-hidden />}
              >
                {messages.reports.forAccount}
              </ButtonLink>
              <ButtonLink
                to="/statements"
                search={{ account: data.id }}
                variant="default"
                leftSection={<IconFileSpreadsheet size={18} aria-hidden />}
              >
                {messages.statements.forAccount}
              </ButtonLink>
            </Group>
          }
        >
          <Split
            main={
              <>
                <Balance account={data} />
                <Movements account={data} />
              </>
            }
            side={
              <>
                <Card title={words.walletAddress}>
                  <WalletAddress address={data.walletAddress} />
                  <ReachNote />
                </Card>
                <ClientKeys accountId={data.id} />
              </>
            }
          />
        </Page>
      )}
    </Loaded>
  );
}

function Balance({ account }: { account: Account }) {
  // The dialog exists only while it is open, so that each opening is an intention of its own.
  const [dialog, setDialog] = useState<{ kind: TransferKind; opening: number }>();
  const [opened, setOpened] = useState(false);
  const ask = (kind: TransferKind) => {
    setDialog((before) => ({ kind, opening: (before?.opening ?? 0) + 1 }));
    setOpened(true);
  };
  return (
    <Card>
      <Stack gap="xs">
        <Text c="dimmed" size="sm">
          {words.balance} · {words.canBeSpent.toLowerCase()}
        </Text>
        <Figure amount={amountText({ ...account, value: account.balance })} data-testid="balance" />
        <Text c="dimmed" size="sm">
          {words.setAside}
          {messages.common.colon} {amountText({ ...account, value: account.reserved })}
        </Text>
        <Allowed to="accounts.deposit">
          <Group gap="sm" mt="sm">
            <Button leftSection={<IconArrowDown size={18} aria-hidden />} onClick={() => ask('deposit')}>
              {words.deposit}
            </Button>
            <Allowed to="accounts.withdraw">
              <Button variant="default" leftSection={<IconArrowUp size={18} aria-hidden />} onClick={() => ask('withdraw')}>
                {words.withdraw}
              </Button>
            </Allowed>
          </Group>
        </Allowed>
      </Stack>
      {dialog !== undefined && (
        <TransferDialog key={dialog.opening} kind={dialog.kind} account={account} opened={opened} onClose={() => setOpened(false)} />
      )}
    </Card>
  );
}

function ReachNote() {
  const info = useQuery(queries.node.info.queryOptions());
  if (info.data === undefined || info.data.reachableByOthers) return null;
  return (
    <Alert data-notice color="orange" mt="md">
      {words.onlyHereShort}{' '}
      <AnchorLink to="/settings" inherit underline="always">
        {messages.common.seeSettings}
      </AnchorLink>
    </Alert>
  );
}

function AccountSkeleton() {
  return (
    <Page up="/accounts" title={<Skeleton height={26} width={240} my={3} />}>
      <Split
        main={
          <>
            <Skeleton height={196} radius="lg" />
            <Skeleton height={420} radius="lg" />
          </>
        }
        side={<Skeleton height={420} radius="lg" />}
      />
    </Page>
  );
}
