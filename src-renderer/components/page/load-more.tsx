import { Button, Center, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { messages } from '../../../src-shared/words/console/messages.ts';

/** A list of which more can be read, as an infinite query has it. */
export interface LongList {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/**
 * Ends a list of which more can be read. After the last row it is nothing; but whoever has asked for the last rows is
 * told that the list ends here.
 */
export function LoadMore({ list }: { list: LongList }) {
  const end = useRef<HTMLParagraphElement>(null);
  const [hasAsked, setAsked] = useState(false);
  const isOver = hasAsked && !list.hasNextPage;
  useEffect(() => {
    // The button that had the focus is gone. Somebody who went on elsewhere meanwhile keeps their place.
    if (isOver && document.activeElement === document.body) end.current?.focus();
  }, [isOver]);
  if (isOver)
    return (
      <Text ref={end} tabIndex={-1} p="md" ta="center" size="sm" c="dimmed">
        {messages.common.endOfList}
      </Text>
    );
  if (!list.hasNextPage) return null;
  const more = () => {
    setAsked(true);
    list.fetchNextPage();
  };
  return (
    <Center p="md">
      <Button variant="default" loading={list.isFetchingNextPage} onClick={more}>
        {messages.common.loadMore}
      </Button>
    </Center>
  );
}
