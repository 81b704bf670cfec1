import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFileDownload, IconFilterOff, IconListDetails } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { messages } from '../../src-shared/words/console/messages.ts';
import { isFiltered } from '../components/filters/search-params.ts';
import { ExportDialog } from '../components/forms/export-dialog.tsx';
import { Card } from '../components/page/card.tsx';
import { Empty } from '../components/page/empty.tsx';
import { ButtonLink } from '../components/page/links.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { Rows, RowsSkeleton } from '../components/page/rows.tsx';
import { useNodeTime } from '../transport/node-clock.ts';
import { client, queries } from '../transport/operator-client.ts';
import classes from './activity.module.css';
import { ActivityLine } from './activity-entry.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { activityFilterOf } from './activity-search.ts';

const route = getRouteApi('/desk/activity');
const words = messages.activity;

/** Shows all acts of the operator, newest first, with the filters of the address. */
export function ActivityPage() {
  const search = route.useSearch();
  const filter = useMemo(() => activityFilterOf(search), [search]);
  const now = useNodeTime(60_000);
  const [exporting, dialog] = useDisclosure(false);
  const list = useInfiniteQuery({
    ...queries.activity.list.infiniteOptions({
      input: (below: number | undefined) => ({ ...filter, below }),
      initialPageParam: undefined,
      getNextPageParam: (page) => page.below ?? undefined,
    }),
    placeholderData: keepPreviousData,
  });
  const entries = list.data?.pages[0]?.entries ?? 0;
  return (
    <Page
      title={words.title}
      lead={words.lead}
      actions={
        <Button variant="default" leftSection={<IconFileDownload size={18} aria-hidden />} onClick={dialog.open}>
          {words.export}
        </Button>
      }
    >
      <ActivityFilters search={search} />
      <Card flush>
        <Loaded query={list} skeleton={<RowsSkeleton count={10} />}>
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items);
            if (items.length === 0) return <Nothing filtered={isFiltered(search)} />;
            return (
              <>
                <Rows label={words.list}>
                  {items.map((entry) => (
                    <li key={entry.number}>
                      <ActivityLine entry={entry} now={now} />
                    </li>
                  ))}
                </Rows>
                {list.hasNextPage && (
                  <div className={classes.more}>
                    <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
                      {messages.common.loadMore}
                    </Button>
                  </div>
                )}
              </>
            );
          }}
        </Loaded>
      </Card>
      <ExportDialog
        read={(signal) => client.activity.export(filter, { signal })}
        count={entries}
        fileName="activity"
        before={words.exporting({ entries: words.entries({ count: entries }) })}
        after={(rows) => words.exported({ rows })}
        opened={exporting}
        onClose={dialog.close}
      />
    </Page>
  );
}

function Nothing({ filtered }: { filtered: boolean }) {
  if (!filtered) return <Empty icon={IconListDetails} title={words.none} advice={words.noneAdvice} />;
  return (
    <Empty
      icon={IconFilterOff}
      title={words.noneFound}
      advice={words.noneFoundAdvice}
      action={
        <ButtonLink to="/activity" variant="default">
          {words.clear}
        </ButtonLink>
      }
    />
  );
}
