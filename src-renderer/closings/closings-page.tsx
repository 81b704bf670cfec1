import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconLock, IconPrinter } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ClosingFigures } from '../../src-shared/operator-contract/shop/closings.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dateTimeText, yearDayText } from '../../src-shared/words/date-text.ts';
import { Allowed } from '../components/page/allowed.tsx';
import { Card } from '../components/page/card.tsx';
import { PlainLink } from '../components/page/links.tsx';
import { LoadMore } from '../components/page/load-more.tsx';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { RowContent, Rows, RowsSkeleton, rowClass } from '../components/page/rows.tsx';
import { queries } from '../transport/operator-client.ts';
import { CloseDialog } from './close-dialog.tsx';
import { Figures } from './figures.tsx';
import classes from './paper.module.css';
import { PaperHead } from './paper-head.tsx';

const words = messages.closings;

/** What has moved since the last day closing, the closing of the day, and the closings before. */
export function ClosingsPage() {
  const current = useQuery(queries.closings.current.queryOptions());
  const [closing, dialog] = useDisclosure(false);
  return (
    <Page
      title={words.title}
      lead={words.lead}
      isPaper
      actions={
        <Group gap="sm">
          <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
            {words.print}
          </Button>
          <Allowed to="closings.close">
            <Button leftSection={<IconLock size={18} aria-hidden />} onClick={dialog.open} disabled={current.data === undefined}>
              {words.close}
            </Button>
          </Allowed>
        </Group>
      }
    >
      <Loaded query={current} skeleton={<Skeleton height={320} />}>
        {({ figures, since, at, last }) => (
          <article className={classes.paper} aria-label={words.current}>
            <PaperHead
              title={words.current}
              facts={[
                [words.since, since === null ? words.sinceBeginning : dateTimeText(since)],
                [words.until, dateTimeText(at)],
              ]}
            />
            <Figures figures={figures} further={<Rest of={figures} />} />
            {closing && <CloseDialog last={last} onClose={dialog.close} />}
          </article>
        )}
      </Loaded>
      <Allowed to="closings.list">
        <Former />
      </Allowed>
      <Text size="sm" c="dimmed">
        {words.isNot}
      </Text>
    </Page>
  );
}

/** How many accounts the closing will have that are not shown here. */
function Rest({ of: { accounts, accountCount } }: { of: ClosingFigures }) {
  const count = accountCount - accounts.length;
  return count === 0 ? null : <Text c="dimmed">{words.moreAccounts({ count })}</Text>;
}

function Former() {
  const list = useInfiniteQuery(
    queries.closings.list.infiniteOptions({
      input: (below: number | undefined) => ({ below }),
      initialPageParam: undefined,
      getNextPageParam: ({ items, more }) => (more ? items.at(-1)?.number : undefined),
    }),
  );
  return (
    <div className={classes.unprinted}>
      <Card title={words.former} flush>
        <Loaded query={list} skeleton={<RowsSkeleton count={3} />}>
          {({ pages }) => {
            const items = pages.flatMap((page) => page.items);
            if (items.length === 0)
              return (
                <Text c="dimmed" p="md">
                  {words.none}
                </Text>
              );
            return (
              <>
                <Rows label={words.former}>
                  {items.map(({ number, day, by }) => (
                    <li key={number}>
                      <PlainLink to="/closings/$number" params={{ number: String(number) }} className={rowClass}>
                        <RowContent
                          icon={<IconLock size={20} />}
                          title={words.numbered({ number: String(number) })}
                          detail={yearDayText(day)}
                          end={null}
                          endDetail={by?.name}
                        />
                      </PlainLink>
                    </li>
                  ))}
                </Rows>
                <LoadMore list={list} />
              </>
            );
          }}
        </Loaded>
      </Card>
    </div>
  );
}
