import { Button, Center } from '@mantine/core';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { messages } from '../../../src-shared/words/console/messages.ts';

/** Ends a list of which more can be read. It is nothing after the last row. */
export function LoadMore({ list }: { list: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'> }) {
  if (!list.hasNextPage) return null;
  return (
    <Center p="md">
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {messages.common.loadMore}
      </Button>
    </Center>
  );
}
