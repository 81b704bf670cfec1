import { Alert, Button, Skeleton, Text } from '@mantine/core';
import { IconAlertTriangle, IconPrinter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { messages } from '../../src-shared/words/console/messages.ts';
import { clockText, dateTimeText, yearDayText } from '../../src-shared/words/date-text.ts';
import { zoneText } from '../../src-shared/words/time-zone.ts';
import { Loaded } from '../components/page/loaded.tsx';
import { Page } from '../components/page/page.tsx';
import { queries } from '../transport/operator-client.ts';
import { Figures } from './figures.tsx';
import { FurtherAccounts } from './further-accounts.tsx';
import classes from './paper.module.css';
import { PaperHead } from './paper-head.tsx';

const route = getRouteApi('/desk/closings/$number');
const words = messages.closings;

/** One day closing, as it was closed. */
export function ClosingPage() {
  const { number } = route.useParams();
  const closing = useQuery(queries.closings.get.queryOptions({ input: { number: Number(number) } }));
  return (
    <Page
      title={words.numbered({ number })}
      up="/closings"
      isPaper
      actions={
        <Button variant="default" leftSection={<IconPrinter size={18} aria-hidden />} onClick={() => window.print()}>
          {words.print}
        </Button>
      }
    >
      <Loaded query={closing} skeleton={<Skeleton height={420} />}>
        {({ figures, more, since, at, day, timeZone, dayEndsAt, by, hash, before, isWhole }) => (
          <article className={classes.paper} aria-label={words.numbered({ number })}>
            <PaperHead
              title={words.numbered({ number })}
              facts={[
                [words.day, yearDayText(day)],
                [words.since, since === null ? words.sinceBeginning : dateTimeText(since)],
                [words.until, dateTimeText(at)],
                [words.days, words.daysOf({ zone: zoneText(timeZone), time: clockText(dayEndsAt) })],
                [words.by, by === null || by.name === '' ? words.owner : by.name],
              ]}
            />
            {!isWhole && (
              <Alert color="red" icon={<IconAlertTriangle aria-hidden />} title={words.changed}>
                {words.changedWords}
              </Alert>
            )}
            <Figures figures={figures} further={more && <FurtherAccounts number={Number(number)} figures={figures} isWhole={isWhole} />} />
            <div className={classes.hash}>
              <Text size="xs" c="dimmed">
                {words.hash}
              </Text>
              <code dir="ltr">{hash}</code>
              {before !== null && (
                <>
                  <Text size="xs" c="dimmed">
                    {words.hashBefore}
                  </Text>
                  <code dir="ltr">{before}</code>
                </>
              )}
            </div>
            <Text size="xs" c="dimmed">
              {words.isNot}
            </Text>
          </article>
        )}
      </Loaded>
    </Page>
  );
}
