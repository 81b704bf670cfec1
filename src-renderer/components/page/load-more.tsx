import { Button, Center } from '@mantine/core';
import { messages } from '../../../src-shared/words/console/messages.ts';

/** A list of which more can be read, as an infinite query has it. */
export interface LongList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Ends a list of which more can be read. It is nothing after the last row. */
export function LoadMore({ list }: { list: LongList }) {
  if (!list.hasNextPage) return null;
  return (
    <Center p="md">
      <Button variant="default" loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
        {messages.common.loadMore}
      </Button>
    </Center>
  );
}
