import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { AccountSelect } from '../components/forms/account-select.tsx';
import { useChosenAccount } from '../components/forms/use-chosen-account.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { Failure } from '../components/page/failure.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { OutsideCard } from '../components/page/outside-card.tsx';
import { Page } from '../components/page/page.tsx';
import { queries } from '../transport/operator-client.ts';
import { CheckLines } from './check-lines.tsx';

const route = getRouteApi('/desk/reach');
const words = messages.reach;

/** Shows who can pay this node, and whom it can pay: in general, and for one wallet that the operator names. */
export function ReachPage() {
  const { wallet } = route.useSearch();
  const { query, choose } = useChosenAccount(undefined);
  return (
    <Page title={words.title} lead={words.lead} width="reading">
      <OutsideCard />
      <Allowed to="wallets.check">
        <Loaded query={query} skeleton={<Skeleton height={260} radius="lg" />}>
          {(account) => <CheckCard account={account} onAccount={choose} initial={wallet ?? ''} />}
        </Loaded>
      </Allowed>
    </Page>
  );
}

interface CheckCardProps {
  account: Account;
  onAccount: (account: Account) => void;
  initial: string;
}

function CheckCard({ account, onAccount, initial }: CheckCardProps) {
  const [text, setText] = useState(initial);
  const [tried, setTried] = useState(false);
  const check = useMutation(queries.wallets.check.mutationOptions());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (text.trim() !== '') check.mutate({ accountId: account.id, wallet: text });
  };
  return (
    <Card title={words.check}>
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <TextInput
            label={words.wallet}
            description={words.walletHint}
            value={text}
            onChange={(event) => {
              setText(event.currentTarget.value);
              check.reset();
            }}
            error={tried && text.trim() === '' ? words.walletNeeded : undefined}
            maxLength={2048}
            autoComplete="off"
            spellCheck={false}
            required
          />
          <AccountSelect
            label={words.account}
            account={account}
            onAccount={(chosen) => {
              if (chosen) onAccount(chosen);
              check.reset();
            }}
            allowDeselect={false}
          />
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              {words.movesNothing}
            </Text>
            <Button type="submit" loading={check.isPending}>
              {words.start}
            </Button>
          </Group>
          <Failure error={check.error} />
        </Stack>
      </form>
      <div role="status">
        {check.data?.own === true && <Alert mt="md">{words.own}</Alert>}
        {check.data?.own === false && <CheckLines check={check.data} account={account} />}
      </div>
    </Card>
  );
}
