import type { Asset } from '../../../src-shared/amounts.ts';
import { amountText } from '../../../src-shared/words/amount-text.ts';
import { billRows, billWords, type PrintedBill } from '../../../src-shared/words/sales/bill-text.ts';
import { InertText } from '../text/inert-text.tsx';
import classes from './bill-table.module.css';

/** What an amount consists of: the lines, the tax of each rate, the tip, and the total. */
export function BillTable({ bill, asset: { assetCode, assetScale } }: { bill: PrintedBill; asset: Asset }) {
  const money = (value: bigint) => amountText({ value, assetCode, assetScale });
  return (
    <table className={classes.bill} aria-label={billWords.label}>
      <tbody>
        {[...billRows(bill, money).entries()].map(([place, { kind, text, detail, amount }]) => (
          <tr key={place} data-kind={kind}>
            <th scope="row">
              {kind === 'line' ? <InertText text={text} expands={false} /> : <bdi>{text}</bdi>}
              {detail !== undefined && <div className={classes.detail}>{detail}</div>}
            </th>
            <td>
              <bdi>{amount}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
