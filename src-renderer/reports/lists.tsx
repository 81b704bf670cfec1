import type { ReactNode } from 'react';
import type { ReportPlace, ReportProduct, ReportReference, SalesReport } from '../../src-shared/operator-contract/shop/reports.ts';
import { signedText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { locale } from '../../src-shared/words/language/locale.ts';
import { quantityText } from '../../src-shared/words/sales/bill-text.ts';
import { sellerText, sellerTexts } from '../../src-shared/words/sales/seller-text.ts';
import { Card } from '../components/page/card.tsx';
import { InertText } from '../components/text/inert-text.tsx';
import { Money } from '../components/text/money.tsx';
import { Bar } from './bar.tsx';
import { Outcomes } from './outcomes.tsx';
import classes from './reports.module.css';
import { Taxes } from './taxes.tsx';

const words = messages.reports;

/** One row of a list: a name, a bar and its numbers. */
interface Row {
  readonly key: string;
  readonly name: ReactNode;
  readonly value: bigint;
  readonly count: number;
  /** The number of pieces, where it is known. */
  readonly quantity?: string;
}

/** The lists of a report. A list that would have one row for everything says nothing, and is left out. */
export function Lists({ report }: { report: SalesReport }) {
  const { products, places, references, taxes } = report;
  return (
    <div className={classes.lists}>
      {products.some(({ kind }) => kind === 'product') && (
        <List title={words.products} report={report} rows={products.map(productRow)} hasQuantities />
      )}
      {places.length > 0 && <List title={words.places} report={report} rows={placeRows(places)} />}
      {references.some(({ kind }) => kind === 'reference') && (
        <List title={words.references} report={report} rows={references.map(referenceRow)} />
      )}
      {taxes.length > 0 && <Taxes report={report} />}
      <Outcomes report={report} />
    </div>
  );
}

function productRow({ kind, text, quantity, value, count }: ReportProduct): Row {
  const name = kind !== 'product' ? words.kinds[kind] : text === '' ? words.noText : <InertText text={text} expands={false} />;
  return { key: `${kind} ${text}`, name, value, count, ...(kind === 'product' && { quantity: quantityText(quantity) }) };
}

function placeRows(places: readonly ReportPlace[]): Row[] {
  const names = sellerTexts(places.map(({ source }) => source?.person ?? { kind: 'person', id: '', name: '' }));
  return places.map(({ source, value, count }, nth) => ({
    key: JSON.stringify(source),
    name: source === null ? words.kinds.others : <InertText text={placeText(source, names[nth] ?? '')} expands={false} />,
    ...{ value, count },
  }));
}

/** @param seller who asked for it, in words */
function placeText({ madeBy, app, till, person }: NonNullable<ReportPlace['source']>, seller: string): string {
  if (app !== null) return app.replace(/^https?:\/\//, '');
  if (till !== null) return sellerText({ kind: 'till', name: till.name });
  const place = madeBy === 'till' ? messages.closings.till : messages.closings.desk;
  return person === null ? place : `${place} · ${seller}`;
}

const referenceRow = ({ kind, reference, value, count }: ReportReference): Row => ({
  key: `${kind} ${reference}`,
  name: kind === 'reference' ? <InertText text={reference} expands={false} /> : words.kinds[kind],
  value,
  count,
});

interface ListProps {
  title: string;
  report: SalesReport;
  rows: readonly Row[];
  hasQuantities?: boolean;
}

function List({ title, report: { assetCode, assetScale, received }, rows, hasQuantities = false }: ListProps) {
  const money = (value: bigint) => <Money text={signedText({ assetCode, assetScale, value })} />;
  const most = rows.reduce((max, { value }) => (value > max ? value : max), 0n);
  return (
    <Card title={title}>
      <table className={classes.table} aria-label={title}>
        <thead>
          <tr>
            <th scope="col">{words.nameColumn}</th>
            {hasQuantities && <th scope="col">{words.quantityColumn}</th>}
            <th scope="col">{words.paymentsColumn}</th>
            <th scope="col">{words.received}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, value, count, quantity }) => (
            <tr key={key}>
              <th scope="row">
                {name}
                <Bar value={value} most={most} />
              </th>
              {hasQuantities && <td>{quantity}</td>}
              <td>{count.toLocaleString(locale())}</td>
              <td>{money(value)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{words.total}</th>
            {hasQuantities && <td />}
            {/* A payment can have several products, so their numbers are not added. */}
            <td>{hasQuantities ? '' : received.count.toLocaleString(locale())}</td>
            <td>{money(received.value)}</td>
          </tr>
        </tfoot>
      </table>
    </Card>
  );
}
