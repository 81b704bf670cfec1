import { Skeleton } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { Payee, PaymentQuote } from '../../src-shared/operator-contract/payments/paying.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { useChosenAccount } from '../components/forms/use-chosen-account.ts';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { AmountStep, type Terms } from './amount-step.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import { PayeeStep } from './payee-step.tsx';

const route = getRouteApi('/desk/pay');
const words = messages.pay;

/** The screen for paying, in three steps: whom, how much, and the price before any money leaves. */
export function PayPage() {
  const { to, account: named } = route.useSearch();
  const { query, choose } = useChosenAccount(named);
  return (
    <Page title={words.title} lead={words.lead} width="reading">
      <Loaded query={query} skeleton={<Skeleton height={260} radius="lg" />}>
        {(account) => <Steps account={account} onAccount={choose} to={to ?? ''} />}
      </Loaded>
    </Page>
  );
}

function Steps({ account, onAccount, to }: { account: Account; onAccount: (account: Account) => void; to: string }) {
  const [payee, setPayee] = useState<Payee>();
  const [terms, setTerms] = useState<Terms>();
  const [quote, setQuote] = useState<PaymentQuote>();
  if (payee === undefined) {
    return <PayeeStep account={account} onAccount={onAccount} initial={to} onFound={setPayee} />;
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
