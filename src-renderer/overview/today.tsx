import { Stack, Text } from '@mantine/core';
import { assetKey } from '../../src-shared/amounts.ts';
import type { Overview } from '../../src-shared/operator-contract/node.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { clockText } from '../../src-shared/words/date-text.ts';
import { shopDays, timeZone, zoneText } from '../../src-shared/words/time-zone.ts';
import { Card } from '../components/page/card.tsx';
import { AnchorLink } from '../components/page/links.tsx';
import { Money } from '../components/text/money.tsx';
import classes from './today.module.css';

const words = messages.overview;

/** Shows what came in and went out since the shop's day began, what is under way, and what failed. */
export function Today({ overview }: { overview: Overview }) {
  const { today, paymentsUnderWay, paymentsUnknown, failedToday } = overview;
  const moved = today.filter(({ received, sent }) => received > 0n || sent > 0n);
  return (
    <Card title={words.today} aside={<AnchorLink to="/closings">{messages.closings.title}</AnchorLink>}>
      <Stack gap="sm">
        {moved.length === 0 && <Text c="dimmed">{words.nothingToday}</Text>}
        {moved.map((totals) => (
          <dl key={assetKey(totals)} className={classes.totals}>
            <div>
              <dt>{words.received}</dt>
              <dd className={classes.received}>
                <Money text={amountText({ ...totals, value: totals.received })} fits />
              </dd>
            </div>
            <div>
              <dt>{words.sent}</dt>
              <dd>
                <Money text={amountText({ ...totals, value: totals.sent })} fits />
              </dd>
            </div>
          </dl>
        ))}
        {paymentsUnknown > 0 && (
          <AnchorLink to="/payments" search={{ status: 'unknown' }} size="sm">
            {words.needYou({ count: paymentsUnknown })}
          </AnchorLink>
        )}
        {paymentsUnderWay > 0 && (
          <AnchorLink to="/payments" search={{ direction: 'out' }} size="sm">
            {words.underWay({ count: paymentsUnderWay })}
          </AnchorLink>
        )}
        {failedToday > 0 && (
          <AnchorLink to="/payments" search={{ status: 'failed' }} size="sm" c="var(--mantine-color-error)">
            {words.failedToday({ count: failedToday })}
          </AnchorLink>
        )}
        <Text size="xs" c="dimmed">
          {shopDays().dayEndsAt === 0
            ? words.todayNote({ zone: zoneText(timeZone()) })
            : words.todayNoteAt({ zone: zoneText(timeZone()), time: clockText(shopDays().dayEndsAt) })}
        </Text>
      </Stack>
    </Card>
  );
}
