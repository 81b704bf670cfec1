import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import type { SalesReport } from '../operator-contract/shop/reports.ts';
import { REPORT_COLUMNS, REPORT_LISTS, type ReportWords, reportTable } from './report-table.ts';

const report: SalesReport = {
  ...{ assetCode: 'EUR', assetScale: 2, from: '2026-11-01', to: '2026-11-02', isEnded: true, at: new Date(0) },
  ...{ received: { value: 1_190n, count: 2 }, refunded: { value: 200n, count: 1 } },
  days: [{ day: '2026-11-01', value: 1_190n, count: 2, refunded: 200n }],
  taxes: [{ name: 'VAT', rate: 5_500, net: 1_000n, tax: 190n, refundedNet: 168n, refundedTax: 32n }],
  products: [
    { kind: 'product', text: '=SUM(A1)\r\nRose', quantity: 1_500, value: 1_100n, count: 2 },
    { kind: 'tip', text: '', quantity: 0, value: 90n, count: 1 },
  ],
  places: [
    { source: { madeBy: 'till', app: null, till: null, person: { kind: 'person', id: 'p', name: 'Ada' } }, value: 1_000n, count: 1 },
    {
      source: { madeBy: 'till', app: null, till: { id: 't', name: 'Ada' }, person: { kind: 'till', id: 't', name: 'Ada' } },
      ...{ value: 190n, count: 1 },
    },
  ],
  references: [{ kind: 'none', reference: '', value: 1_190n, count: 2 }],
  requests: [{ status: 'paid', count: 2 }],
  attempts: [{ reason: 'rejected', count: 3 }],
  cancellations: [
    { reason: '=Sold out', count: 2 },
    { reason: null, count: 1 },
  ],
  sent: { count: 9, failures: [{ reason: 'no_route', count: 4 }] },
};
const words: ReportWords = {
  columns: Object.fromEntries(REPORT_COLUMNS.map((one) => [one, `column ${one}`])) as ReportWords['columns'],
  lists: Object.fromEntries(REPORT_LISTS.map((one) => [one, `list ${one}`])) as ReportWords['lists'],
  kind: (_, kind) => `kind ${kind}`,
};

it('the table for scripts has every row of every list, by the names of the API', () => {
  const table = reportTable(report, 'csv', words, 'de');
  const rows = parse(table.csv, { columns: true }) as Record<string, string>[];
  expect(table.rows).toBe(rows.length);
  const currency = 'EUR';
  const none = { kind: '', name: '', payments: '', pieces: '', net: '', amount: '', refunded: '', currency };
  expect(rows).toEqual([
    { ...none, list: 'days', name: '2026-11-01', payments: '2', amount: '11.90', refunded: '2.00' },
    { ...none, list: 'taxes', kind: '5.5', name: 'VAT', net: '10.00', amount: '1.90', refunded: '0.32' },
    { ...none, list: 'products', kind: 'product', name: "'=SUM(A1)\r\nRose", payments: '2', pieces: '1.5', amount: '11.00' },
    { ...none, list: 'products', kind: 'tip', payments: '1', amount: '0.90' },
    { ...none, list: 'places', kind: 'till', name: 'Ada', payments: '1', amount: '10.00' },
    { ...none, list: 'places', kind: 'pairedTill', name: 'Ada', payments: '1', amount: '1.90' },
    { ...none, list: 'references', kind: 'none', payments: '2', amount: '11.90' },
    { ...none, list: 'requests', kind: 'paid', payments: '2' },
    { ...none, list: 'attempts', kind: 'rejected', payments: '3' },
    { ...none, list: 'cancellations', kind: 'cancelled', name: "'=Sold out", payments: '2' },
    { ...none, list: 'cancellations', kind: 'others', payments: '1' },
    { ...none, list: 'sent', kind: 'no_route', payments: '4' },
  ]);
});

it('the table for people has the words, the separators and the numbers of their language', () => {
  const { csv: table } = reportTable(report, 'spreadsheet', words, 'de');
  expect(table.startsWith('\uFEFF"column list";"column kind"')).toBe(true);
  expect(table).toContain('"list products";"kind product";"\'=SUM(A1) Rose";2;1,5;;11,00;;"EUR"\r\n');
  expect(reportTable(report, 'spreadsheet', words, 'en').csv).toContain(',"VAT",,,10.00,1.90,0.32,');
});
