import { Fragment } from 'react';
import type { SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import { signedText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { taxRateText } from '../../src-shared/words/sales/tax-rate-text.ts';
import { Card } from '../components/page/card.tsx';
import { Money } from '../components/text/money.tsx';
import classes from './reports.module.css';

const words = messages.reports.tax;

/** The tax of each rate: of what was received, what refunds gave back of it, and what is left. */
export function Taxes({ report: { assetCode, assetScale, taxes } }: { report: SalesReport }) {
  const line = (name: string, net: bigint, tax: bigint) => (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Money text={signedText({ assetCode, assetScale, value: net })} />
      </td>
      <td>
        <Money text={signedText({ assetCode, assetScale, value: tax })} />
      </td>
    </tr>
  );
  return (
    <Card title={words.title}>
      <table className={classes.table} aria-label={words.title}>
        <thead>
          <tr>
            <th scope="col">{words.rate}</th>
            <th scope="col">{words.net}</th>
            <th scope="col">{words.tax}</th>
          </tr>
        </thead>
        <tbody>
          {taxes.map(({ name, rate, net, tax, refundedNet = 0n, refundedTax = 0n }) => (
            <Fragment key={`${rate} ${name}`}>
              {line(words.named({ name, rate: taxRateText(rate) }), net, tax)}
              {refundedNet + refundedTax !== 0n && line(words.refunded, -refundedNet, -refundedTax)}
              {refundedNet + refundedTax !== 0n && line(words.left, net - refundedNet, tax - refundedTax)}
            </Fragment>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
