import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { Payee, PaymentQuote } from '../../src-shared/operator-contract/payments/paying.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { queries } from '../transport/operator-client.ts';
import { AmountStep, type Terms } from './amount-step.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import { PayeeStep } from './payee-step.tsx';

const route = getRouteApi('/desk/pay');
const words = messages.pay;

/** The screen for paying, in three steps: whom, how much, and the price before any money leaves. */
export function PayPage() {
  const accounts = useQuery(queries.accounts.list.queryOptions());
  return (
    <Page title={words.title} lead={words.lead} width="reading">
      <Loaded query={accounts} skeleton={<Skeleton height={260} radius="lg" />}>
        {(data) => (data.length === 0 ? null : <Steps accounts={data} />)}
      </Loaded>
    </Page>
  );
}

function Steps({ accounts }: { accounts: readonly Account[] }) {
  const { to, account: wanted } = route.useSearch();
  const [accountId, setAccountId] = useState(wanted);
  const [payee, setPayee] = useState<Payee>();
  const [terms, setTerms] = useState<Terms>();
  const [quote, setQuote] = useState<PaymentQuote>();
  // The account is always shown as it is now, because its balance may change meanwhile.
  const account = accounts.find(({ id }) => id === accountId) ?? accounts[0];
  if (account === undefined) return null;
  if (payee === undefined) {
    return <PayeeStep accounts={accounts} account={account} onAccount={setAccountId} initial={to ?? ''} onFound={setPayee} />;
  }
  if (quote === undefined || terms === undefined) {
    return (
      <AmountStep
        account={account}
        payee={payee}
        initial={terms}
        onBack={() => {
          setPayee(undefined);
          setTerms(undefined);
        }}
        onQuoted={(given, made) => {
          setTerms(given);
          setQuote(made);
        }}
      />
    );
  }
  return <ConfirmStep key={quote.id} account={account} payee={payee} terms={terms} quote={quote} onBack={() => setQuote(undefined)} />;
}
