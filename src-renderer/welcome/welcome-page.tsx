import { Center, Group, Skeleton, Stack, Text, ThemeIcon, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { inertText } from '../../src-shared/words/inert-text.ts';
import { AccountForm } from '../components/forms/account-form.tsx';
import { Brand } from '../components/page/brand.tsx';
import { Card } from '../components/page/card.tsx';
import { ConnectionBanner } from '../components/page/connection-banner.tsx';
import { AnchorLink, ButtonLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { OutsideCard } from '../components/page/outside-card.tsx';
import { Redirect } from '../components/page/redirect.tsx';
import { OnlyHere, WalletAddress } from '../components/text/wallet-address.tsx';
import { queries } from '../transport/operator-client.ts';
import classes from './welcome-page.module.css';

const route = getRouteApi('/welcome');
const words = messages.welcome;

/** The screen of the first run. The operator makes an account, then sees its wallet address and what to do next. */
export function WelcomePage() {
  const { account: createdId } = route.useSearch();
  const accounts = useQuery(queries.accounts.list.queryOptions({ input: { limit: 1 } }));
  useDocumentTitle(messages.common.title({ page: words.title, waiting: 0 }));
  return (
    <Center p="lg" component="main">
      <ConnectionBanner />
      <Stack gap="lg" className={classes.page}>
        <Brand />
        <Loaded query={accounts} skeleton={<Skeleton height={520} radius="lg" />}>
          {({ items: [first] }) => {
            // Whoever made the first account a moment ago sees it. With other accounts this is no first run.
            const created = first?.id === createdId ? first : undefined;
            if (created !== undefined) return <Ready account={created} />;
            // An account that was just made may not be in the list yet.
            if (createdId !== undefined && first === undefined) return <Skeleton height={520} radius="lg" />;
            return first === undefined ? <FirstAccount /> : <Redirect to="/" />;
          }}
        </Loaded>
      </Stack>
    </Center>
  );
}

function FirstAccount() {
  const navigate = useNavigate();
  const info = useQuery(queries.node.info.queryOptions());
  return (
    <>
      <Stack gap="xs">
        <Title order={1}>{words.title}</Title>
        <Text>{words.lead}</Text>
        <Text c="dimmed">{words.recordsMoney}</Text>
      </Stack>
      <Card>
        <AccountForm
          action={words.createFirst}
          onCreated={({ id }) => void navigate({ to: '/welcome', search: { account: id }, replace: true })}
        />
      </Card>
      {info.data?.database === null && (
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {words.haveBackup}
          </Text>
          <AnchorLink to="/restore" size="sm">
            {words.restore}
          </AnchorLink>
        </Group>
      )}
    </>
  );
}

/** What to do next, in this order. An operator may have added a peer before the first account. */
function stepsOf(connected: boolean) {
  const [first, ...others] = words.steps;
  return [first, words.peers[connected ? 'there' : 'missing'], ...others];
}

function Ready({ account }: { account: Account }) {
  const info = useQuery(queries.node.info.queryOptions());
  return (
    <>
      <Stack gap="xs">
        <Title order={1}>{words.ready}</Title>
        <Text>{words.readyLead({ name: inertText(account.publicName) })}</Text>
      </Stack>
      <Card>
        <WalletAddress address={account.walletAddress} />
      </Card>
      <OnlyHere />
      <Card title={words.next}>
        <Stack gap="md" component="ol" className={classes.steps}>
          {stepsOf(info.data?.connected === true).map(({ title, words: meaning }, index) => (
            <li key={title}>
              <Group gap="md" wrap="nowrap" align="flex-start">
                <ThemeIcon variant="light" radius="xl" size={28} aria-hidden>
                  {index + 1}
                </ThemeIcon>
                <div>
                  <Text fw={550}>{title}</Text>
                  <Text size="sm" c="dimmed">
                    {meaning}
                  </Text>
                </div>
              </Group>
            </li>
          ))}
        </Stack>
      </Card>
      <OutsideCard />
      <ButtonLink to="/" size="md" className={classes.go}>
        {words.toOverview}
      </ButtonLink>
    </>
  );
}
