import { IconPlus, IconWallet } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { hostAndPath } from '../../src-shared/words/inert-text.ts';
import { Card } from '../components/page/card.tsx';
import { ButtonLink, PlainLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { RowContent, Rows, RowsSkeleton, rowClass } from '../components/page/rows.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { RowMoney } from '../components/text/money.tsx';
import { OnlyHere } from '../components/text/wallet-address.tsx';
import { queries } from '../transport/operator-client.ts';

const words = messages.accounts;

/** The operator's accounts with their addresses and balances. */
export function AccountsPage() {
  const accounts = useQuery(queries.accounts.list.queryOptions());
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <ButtonLink to="/accounts/new" leftSection={<IconPlus size={18} aria-hidden />}>
          {words.add}
        </ButtonLink>
      }
    >
      <Card flush>
        <Loaded query={accounts} skeleton={<RowsSkeleton count={2} />}>
          {(list) => (
            <Rows label={words.title}>
              {list.map((account) => (
                <li key={account.id}>
                  <AccountRow account={account} />
                </li>
              ))}
            </Rows>
          )}
        </Loaded>
      </Card>
      <OnlyHere />
    </Page>
  );
}

function AccountRow({ account }: { account: Account }) {
  const { id, publicName, walletAddress, balance, reserved } = account;
  return (
    <PlainLink to="/accounts/$id" params={{ id }} className={rowClass}>
      <RowContent
        icon={<IconWallet size={18} />}
        title={<InertText text={publicName} expands={false} />}
        detail={hostAndPath(walletAddress)}
        end={<RowMoney text={amountText({ ...account, value: balance })} />}
        endDetail={
          reserved > 0n ? `${amountText({ ...account, value: reserved })} ${words.setAside.toLowerCase()}` : words.canBeSpent.toLowerCase()
        }
      />
    </PlainLink>
  );
}
