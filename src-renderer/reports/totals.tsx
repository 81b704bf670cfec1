import type { SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import { signedText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Money } from '../components/text/money.tsx';
import classes from './reports.module.css';

const words = messages.reports;

/** What was received in all, how many payments that were, and what is left after refunds. */
export function Totals({ report: { assetCode, assetScale, received, refunded } }: { report: SalesReport }) {
  const money = (value: bigint) => <Money text={signedText({ assetCode, assetScale, value })} fits />;
  // Half a unit is rounded up, as on a bill.
  const count = BigInt(received.count);
  const average = count === 0n ? 0n : (2n * received.value + count) / (2n * count);
  return (
    <dl className={classes.totals}>
      <div data-strong>
        <dt>{words.payments({ count: received.count })}</dt>
        <dd>{money(received.value)}</dd>
      </div>
      <div>
        <dt>{words.average}</dt>
        <dd>{money(average)}</dd>
      </div>
      {refunded.count > 0 && (
        <>
          <div>
            <dt>{words.refunds({ count: refunded.count })}</dt>
            <dd>{money(-refunded.value)}</dd>
          </div>
          <div>
            <dt>{words.left}</dt>
            <dd>{money(received.value - refunded.value)}</dd>
          </div>
        </>
      )}
    </dl>
  );
}
