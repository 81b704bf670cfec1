import { IconPlus, IconWallet } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { hostAndPath } from '../../src-shared/words/inert-text.ts';
import { SearchFilter } from '../components/filters/text-filter.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { ButtonLink, PlainLink } from '../components/page/links.tsx';
import { LoadMore } from '../components/page/load-more.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { MANY_ROWS, RowContent, Rows, RowsSkeleton, rowClass } from '../components/page/rows.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { RowMoney } from '../components/text/money.tsx';
import { OnlyHere } from '../components/text/wallet-address.tsx';
import { queries } from '../transport/operator-client.ts';

const words = messages.accounts;

/** The operator's accounts with their addresses and balances, the first one first. */
export function AccountsPage() {
  const [text, setText] = useState<string>();
  const accounts = useInfiniteQuery(
    queries.accounts.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ cursor, ...(text !== undefined && { text }) }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      placeholderData: keepPreviousData,
    }),
  );
  const list = accounts.data?.pages.flatMap(({ items }) => items) ?? [];
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
      {(text !== undefined || list.length >= MANY_ROWS) && (
        <search>
          <SearchFilter words={words} text={text} onFilter={setText} />
        </search>
      )}
      <Card flush>
        <Loaded query={accounts} skeleton={<RowsSkeleton count={2} />}>
          {() =>
            list.length === 0 ? (
              <Empty icon={IconWallet} title={words.noneFound} advice={words.noneFoundAdvice} />
            ) : (
              <>
                <Rows label={words.title}>
                  {list.map((account) => (
                    <li key={account.id}>
                      <AccountRow account={account} />
                    </li>
                  ))}
                </Rows>
                <LoadMore list={accounts} />
              </>
            )
          }
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
