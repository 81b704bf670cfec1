import { Alert, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { ClosingFigures } from '../../src-shared/operator-contract/shop/closings.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { LoadMore } from '../components/page/load-more.tsx';
import { queries } from '../transport/operator-client.ts';
import { Accounts } from './figures.tsx';
import classes from './paper.module.css';

const words = messages.closings;

interface FurtherAccountsProps {
  number: number;
  /** The figures with the first accounts. */
  figures: ClosingFigures;
  /** Whether the closing with the first accounts has its hash. If not, the page has said so. */
  isWhole: boolean;
}

/** The accounts of a closing behind the first ones. They are read when somebody asks for them. */
export function FurtherAccounts({ number, figures, isWhole }: FurtherAccountsProps) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    ...queries.closings.accounts.infiniteOptions({
      input: (piece: number) => ({ number, piece }),
      initialPageParam: 1,
      getNextPageParam: ({ more }, _pages, piece) => (more ? piece + 1 : undefined),
    }),
    enabled: false,
  });
  const { pages = [], pageParams = [] } = data ?? {};
  const shown = pages.reduce((sum, { accounts }) => sum + accounts.length, figures.accounts.length);
  return (
    <>
      {pages.map((page, nth) => (
        <Fragment key={pageParams[nth]}>
          {isWhole && !page.isWhole && (
            <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={words.changed}>
              {words.accountsChanged({ count: page.accounts.length })}
            </Alert>
          )}
          <Accounts accounts={page.accounts} />
        </Fragment>
      ))}
      <div>
        <Text c="dimmed" role="status">
          {words.shown({ shown, count: figures.accountCount })}
        </Text>
        <div className={classes.unprinted}>
          <LoadMore list={{ isFetchingNextPage, fetchNextPage, hasNextPage: data === undefined || hasNextPage }} />
        </div>
      </div>
    </>
  );
}
