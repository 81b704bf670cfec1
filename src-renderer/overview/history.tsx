import { SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import { type Day, daysLater } from '../../src-shared/calendar.ts';
import type { Overview } from '../../src-shared/operator-contract/node.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dayText } from '../../src-shared/words/date-text.ts';
import { Columns, mostOf, type Step } from '../components/money/columns.tsx';
import { Card } from '../components/page/card.tsx';
import { Money } from '../components/text/money.tsx';
import classes from './history.module.css';

const words = messages.overview;

type History = Overview['history'];
interface DayMoney {
  day: Day;
  received: bigint;
  sent: bigint;
}

/**
 * Shows what came in and went out over the last weeks, day by day, for one currency at a time: currencies cannot be
 * added.
 */
export function HistoryCard({ history }: { history: History }) {
  const moving = history.assets.filter(({ days }) => days.length > 0);
  const assets = moving.length === 0 ? history.assets.slice(0, 1) : moving;
  const [chosen, setChosen] = useState<string>();
  const asset = assets.find((one) => assetKey(one) === chosen) ?? assets[0];
  if (asset === undefined) return null;
  const days = everyDay(history, asset.days);
  const choice = assets.map((one) => ({ value: assetKey(one), label: one.assetCode }));
  return (
    <Card
      title={words.history({ days: history.days })}
      aside={
        assets.length > 1 && (
          <SegmentedControl size="xs" data={choice} value={assetKey(asset)} onChange={setChosen} aria-label={words.currency} />
        )
      }
    >
      <Sums days={days} asset={asset} />
      {moving.length > 0 ? (
        <Bars days={days} asset={asset} />
      ) : (
        <Text size="sm" c="dimmed">
          {words.nothingYet}
        </Text>
      )}
    </Card>
  );
}

/** Adds the days on which nothing moved, because the node leaves them out. */
function everyDay({ firstDay, days }: History, told: readonly DayMoney[]): DayMoney[] {
  const known = new Map(told.map((one) => [one.day, one]));
  return Array.from({ length: days }, (_, index) => {
    const day = daysLater(firstDay, index);
    return known.get(day) ?? { day, received: 0n, sent: 0n };
  });
}

const sum = (days: readonly DayMoney[], side: 'received' | 'sent'): bigint => days.reduce((total, day) => total + day[side], 0n);

function Sums({ days, asset }: { days: readonly DayMoney[]; asset: Asset }) {
  return (
    <dl className={classes.sums}>
      {(['received', 'sent'] as const).map((side) => (
        <div key={side}>
          <dt>
            <span className={classes.key} data-side={side} aria-hidden />
            {words[side]}
          </dt>
          <dd>
            <Money text={amountText({ ...asset, value: sum(days, side) })} fits />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Bars({ days, asset }: { days: readonly DayMoney[]; asset: Asset }) {
  const money = (value: bigint) => amountText({ ...asset, value });
  const steps = days.map(
    ({ day, received, sent }): Step => ({
      key: day,
      title: words.dayTitle({ day: dayText(day), received: money(received), sent: money(sent) }),
      columns: [
        { side: 'received', value: received },
        { side: 'sent', value: sent },
      ],
    }),
  );
  const most = mostOf(steps);
  return (
    <figure className={classes.figure}>
      <Columns steps={steps} axis={[days[0] && dayText(days[0].day), most > 0n ? words.most({ amount: money(most) }) : '', words.today]} />
      <VisuallyHidden>
        <table>
          <caption>{words.history({ days: days.length })}</caption>
          <thead>
            <tr>
              <th scope="col">{words.day}</th>
              <th scope="col">{words.received}</th>
              <th scope="col">{words.sent}</th>
            </tr>
          </thead>
          <tbody>
            {days
              .filter(({ received, sent }) => received > 0n || sent > 0n)
              .map(({ day, received, sent }) => (
                <tr key={day}>
                  <th scope="row">{dayText(day)}</th>
                  <td>{amountText({ ...asset, value: received })}</td>
                  <td>{amountText({ ...asset, value: sent })}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
