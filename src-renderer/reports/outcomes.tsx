import type { ReactNode } from 'react';
import type { Reason } from '../../src-shared/operator-contract/shop/closings.ts';
import type { SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { locale } from '../../src-shared/words/language/locale.ts';
import { attemptReasonText, paymentReasonText } from '../../src-shared/words/sales/reason-text.ts';
import { Card } from '../components/page/card.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { Bar } from './bar.tsx';
import classes from './reports.module.css';

const words = messages.reports;

/** What became of the requests and of what was sent: how much succeeded, and why the rest did not. */
export function Outcomes({ report: { requests, attempts, cancellations, sent } }: { report: SalesReport }) {
  const all = requests.reduce((sum, { count }) => sum + count, 0);
  const paid = requests.find(({ status }) => status === 'paid')?.count ?? 0;
  const failed = sum(sent.failures);
  return (
    <>
      {all > 0 && (
        <Card title={words.requests}>
          <p className={classes.said}>
            {words.paidShare({ share: percent(paid, all), count: all })} {words.countedRequests}
          </p>
          <Counted
            title={words.requests}
            columns={[words.statusColumn, words.requestsColumn]}
            rows={requests.map(({ status, count }) => ({ key: status, name: messages.payments.statuses[status], count }))}
          />
        </Card>
      )}
      <Why title={words.attempts} lead={words.attemptsGo} column={words.attemptsColumn} reasons={attempts} text={attemptReasonText} />
      <Why
        title={words.cancellations}
        column={words.requestsColumn}
        reasons={cancellations}
        text={(reason) => reason ?? messages.closings.otherReasons}
        none={words.noReason}
      />
      {sent.count > 0 && (
        <Card title={words.sent}>
          <p className={classes.said}>{words.sentShare({ share: percent(sent.count - failed, sent.count), count: sent.count })}</p>
          {failed > 0 && (
            <Reasons title={words.sentFailures} column={words.paymentsColumn} reasons={sent.failures} text={paymentReasonText} />
          )}
        </Card>
      )}
    </>
  );
}

const sum = (reasons: readonly { count: number }[]): number => reasons.reduce((all, { count }) => all + count, 0);
const percent = (count: number, all: number): string => (count / all).toLocaleString(locale(), { style: 'percent' });

interface ReasonsProps {
  title: string;
  /** The name of the column of numbers. */
  column: string;
  reasons: readonly Reason[];
  text: (reason: string | null) => string;
  /** What stands in place of an empty reason. */
  none?: string;
}

/** @param lead what a reader must know about the numbers */
function Why({ lead, ...props }: ReasonsProps & { lead?: string }) {
  if (props.reasons.length === 0) return null;
  return (
    <Card title={props.title}>
      {lead !== undefined && <p className={classes.said}>{lead}</p>}
      <Reasons {...props} />
    </Card>
  );
}

const Reasons = ({ title, column, reasons, text, none }: ReasonsProps) => (
  <Counted
    title={title}
    columns={[words.reasonColumn, column]}
    rows={reasons.map(({ reason, count }) => ({
      key: String(reason),
      name: reason === '' && none !== undefined ? none : <InertText text={text(reason)} expands={false} length={160} />,
      count,
    }))}
  />
);

interface CountedProps {
  title: string;
  columns: readonly [name: string, count: string];
  rows: readonly { readonly key: string; readonly name: ReactNode; readonly count: number }[];
}

/** A table of counts, with a bar and the share of each. */
function Counted({ title, columns, rows }: CountedProps) {
  const all = sum(rows);
  return (
    <table className={classes.table} aria-label={title}>
      <thead>
        <tr>
          <th scope="col">{columns[0]}</th>
          <th scope="col">{columns[1]}</th>
          <th scope="col">{words.shareColumn}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, count }) => (
          <tr key={key}>
            <th scope="row">
              {name}
              <Bar value={BigInt(count)} most={BigInt(all)} />
            </th>
            <td>{count.toLocaleString(locale())}</td>
            <td>{percent(count, all)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{words.total}</th>
          <td>{all.toLocaleString(locale())}</td>
          <td />
        </tr>
      </tfoot>
    </table>
  );
}
