import { SegmentedControl, Text, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import { type Asset, assetKey } from '../../src-shared/amounts.ts';
import { type Day, daysLater } from '../../src-shared/calendar.ts';
import type { Overview } from '../../src-shared/operator-contract/node.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dayText } from '../../src-shared/words/date-text.ts';
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

const WIDTH = 600;
const HEIGHT = 132;
/** The part of a day's width that its two bars leave empty. */
const GAP = 0.36;

function Bars({ days, asset }: { days: readonly DayMoney[]; asset: Asset }) {
  const most = days.reduce((max, { received, sent }) => (received > max ? received : sent > max ? sent : max), 0n);
  const step = WIDTH / days.length;
  const bar = (step * (1 - GAP)) / 2;
  const height = (value: bigint): number => {
    if (most === 0n || value === 0n) return 0;
    // The amounts are divided as whole numbers first, because they may be larger than a floating-point number holds
    // exactly.
    return Math.max(2, (Number((value * 10_000n) / most) / 10_000) * HEIGHT);
  };
  return (
    <figure className={classes.figure}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className={classes.bars} aria-hidden>
        {days.map(({ day, received, sent }, index) => (
          <g key={day} className={classes.day}>
            <title>
              {words.dayTitle({
                day: dayText(day),
                received: amountText({ ...asset, value: received }),
                sent: amountText({ ...asset, value: sent }),
              })}
            </title>
            <rect x={index * step} y={0} width={step} height={HEIGHT} className={classes.slot} />
            <Bar x={index * step + (step * GAP) / 2} width={bar} height={height(received)} side="received" />
            <Bar x={index * step + (step * GAP) / 2 + bar} width={bar} height={height(sent)} side="sent" />
          </g>
        ))}
      </svg>
      <div className={classes.axis} aria-hidden>
        <span>{days[0] && dayText(days[0].day)}</span>
        <span>{most > 0n ? words.most({ amount: amountText({ ...asset, value: most }) }) : ''}</span>
        <span>{words.today}</span>
      </div>
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

function Bar({ x, width, height, side }: { x: number; width: number; height: number; side: 'received' | 'sent' }) {
  return <rect x={x} y={HEIGHT - height} width={width} height={height} rx={1} data-side={side} className={classes.bar} />;
}
