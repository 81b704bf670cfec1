import { Button, SegmentedControl, Stack } from '@mantine/core';
import { useId, useState } from 'react';
import type { SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import { signedText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { dayText, monthText, yearDayText } from '../../src-shared/words/date-text.ts';
import { Columns, mostOf, type Step } from '../components/money/columns.tsx';
import { Card } from '../components/page/card.tsx';
import { Money } from '../components/text/money.tsx';
import classes from './reports.module.css';
import { SPANS, type Span, type SpanSums, suitedTo, sumsBySpan } from './spans.ts';

const words = messages.reports;

/** What was received day by day, week by week or month by month: a picture, and its numbers behind it. */
export function OverTime({ report }: { report: SalesReport }) {
  const suited = suitedTo(report);
  const [chosen, setChosen] = useState<Span>('day');
  const [isTable, setIsTable] = useState(false);
  const table = useId();
  const span = suited.includes(chosen) ? chosen : (suited[0] ?? 'month');
  const sums = sumsBySpan(report.days, span, report);
  return (
    <Card
      title={words.overTime}
      aside={
        suited.length > 1 && (
          <SegmentedControl
            size="xs"
            data={SPANS.filter((one) => suited.includes(one)).map((one) => ({ value: one, label: words.spans[one] }))}
            value={span}
            onChange={setChosen}
            aria-label={words.overTime}
          />
        )
      }
    >
      <Stack gap="sm">
        <Picture sums={sums} span={span} report={report} />
        <div>
          <Button variant="default" size="xs" aria-expanded={isTable} aria-controls={table} onClick={() => setIsTable(!isTable)}>
            {isTable ? words.hideTable : words.showTable}
          </Button>
        </div>
        <div id={table}>{isTable && <Numbers sums={sums} span={span} report={report} />}</div>
      </Stack>
    </Card>
  );
}

interface SpansProps {
  sums: readonly SpanSums[];
  span: Span;
  report: SalesReport;
}

const nameOf = (first: string, span: Span): string =>
  span === 'month' ? monthText(first) : span === 'week' ? words.week({ day: yearDayText(first) }) : yearDayText(first);

function Picture({ sums, span, report: { assetCode, assetScale } }: SpansProps) {
  const money = (value: bigint) => signedText({ assetCode, assetScale, value });
  const steps = sums.map(
    ({ first, value, count }): Step => ({
      key: first,
      title: words.column({ span: nameOf(first, span), amount: money(value), count }),
      columns: [{ side: 'received', value }],
    }),
  );
  const most = mostOf(steps);
  const axis = [
    sums[0] && dayText(sums[0].first),
    most > 0n ? words.most({ amount: money(most) }) : '',
    sums.length > 1 && dayText(sums.at(-1)?.first ?? ''),
  ] as const;
  return (
    <figure className={classes.figure}>
      <Columns steps={steps} axis={axis} />
    </figure>
  );
}

function Numbers({ sums, span, report: { assetCode, assetScale, received, refunded } }: SpansProps) {
  const money = (value: bigint) => <Money text={signedText({ assetCode, assetScale, value })} />;
  const hasRefunds = sums.some((one) => one.refunded !== 0n);
  return (
    <table className={classes.table} aria-label={words.overTime}>
      <thead>
        <tr>
          <th scope="col">{words.spanNames[span]}</th>
          <th scope="col">{words.paymentsColumn}</th>
          <th scope="col">{words.received}</th>
          {hasRefunds && <th scope="col">{words.refundedColumn}</th>}
        </tr>
      </thead>
      <tbody>
        {sums
          .filter(({ value, refunded: given, count }) => value !== 0n || given !== 0n || count > 0)
          .map((one) => (
            <tr key={one.first}>
              <th scope="row">{nameOf(one.first, span)}</th>
              <td>{one.count}</td>
              <td>{money(one.value)}</td>
              {hasRefunds && <td>{money(one.refunded)}</td>}
            </tr>
          ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.total}</th>
          <td>{received.count}</td>
          <td>{money(received.value)}</td>
          {hasRefunds && <td>{money(refunded.value)}</td>}
        </tr>
      </tfoot>
    </table>
  );
}
