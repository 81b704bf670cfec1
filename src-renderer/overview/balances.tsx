import { Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { assetKey } from '../../src-shared/amounts.ts';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import type { Overview } from '../../src-shared/operator-contract/node.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { hostAndPath } from '../../src-shared/words/inert-text.ts';
import { AnchorLink, PlainLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { Money } from '../components/text/money.tsx';
import { queries } from '../transport/operator-client.ts';
import classes from './balances.module.css';

const words = messages.overview;
/** How many accounts have a tile, the oldest first. More would push the day's takings out of sight. */
const SHOWN = 4;

/** Shows what each account may spend. Where several accounts share a currency, it also shows their sum. */
export function Balances({ totals }: { totals: Overview['balances'] }) {
  const accounts = useQuery(queries.accounts.list.queryOptions({ input: { limit: SHOWN } }));
  return (
    <Loaded query={accounts} skeleton={<BalancesSkeleton />}>
      {({ items }) => {
        const shared = totals.filter(({ accounts: sharing }) => sharing > 1);
        const count = totals.reduce((sum, { accounts: one }) => sum + one, 0);
        return (
          <section aria-label={words.balances}>
            <ul className={classes.tiles}>
              {items.map((account) => (
                <li key={account.id}>
                  <BalanceTile account={account} />
                </li>
              ))}
            </ul>
            {count > SHOWN && (
              <AnchorLink to="/accounts" size="sm" mt="sm" display="inline-block">
                {words.allAccounts({ count })}
              </AnchorLink>
            )}
            {shared.map((total) => (
              <Text key={assetKey(total)} size="sm" c="dimmed" mt="sm">
                {words.total({ currency: total.assetCode })}
                {messages.common.colon} <Money text={amountText(total)} />
              </Text>
            ))}
          </section>
        );
      }}
    </Loaded>
  );
}

function BalanceTile({ account }: { account: Account }) {
  const { id, publicName, walletAddress, balance, reserved } = account;
  const available = amountText({ ...account, value: balance });
  return (
    <PlainLink to="/accounts/$id" params={{ id }} className={classes.tile}>
      <span className={classes.name}>
        <InertText text={publicName} expands={false} length={40} />
      </span>
      <span className={classes.balance}>
        <Money text={available} fits />
      </span>
      <span className={classes.detail}>
        {reserved > 0n ? words.reserved({ amount: amountText({ ...account, value: reserved }) }) : <bdi>{hostAndPath(walletAddress)}</bdi>}
      </span>
    </PlainLink>
  );
}

export function BalancesSkeleton() {
  return (
    <div className={classes.tiles}>
      <Skeleton height={118} radius="lg" />
      <Skeleton height={118} radius="lg" />
    </div>
  );
}
