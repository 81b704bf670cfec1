import { plainQuantity, type SoldLine } from '../../bills/sold-line.ts';
import { BYTE_ORDER_MARK, cellLine, onOneLine, textCell } from '../cells.ts';
import {
  aboutOf,
  amountOf,
  partyOf,
  STATEMENT_COLUMNS,
  type StatementColumn,
  type StatementHead,
  type StatementLine,
  type StatementWords,
  type StatementWriter,
} from '../statement.ts';
import { dayIn, tableStyleOf } from './table-style.ts';

type Cells = Readonly<Record<StatementColumn, string>>;

const EMPTY: Cells = {
  ...{ day: '', time: '', kind: '', amount: '', balance: '', currency: '', name: '', walletAddress: '', description: '' },
  ...{ reference: '', note: '', tax: '', tip: '', fee: '', otherAmount: '', otherCurrency: '', utc: '', payment: '', id: '', rate: '' },
  ...{ homeAmount: '', homeCurrency: '', homeRate: '', items: '' },
};

/** The CSV for people: their language, separators and dates, with a mark that tells Excel the encoding. */
export function spreadsheet(head: StatementHead, words: StatementWords, language: string): StatementWriter {
  const style = tableStyleOf(language);
  const day = (text: string) => dayIn(style, text);
  const number = (text: string) => text.replace('.', style.point);
  const row = (cells: Cells) =>
    cellLine(
      STATEMENT_COLUMNS.map((column) => cells[column]),
      style.separator,
    );
  const balance = (kind: 'opening' | 'closing', on: string, value: bigint) =>
    row({
      ...EMPTY,
      ...{ day: day(on), kind: textCell(words.kinds[kind]), balance: number(amountOf(head, value)), currency: textCell(head.assetCode) },
    });
  return {
    begin: () =>
      BYTE_ORDER_MARK +
      cellLine(
        STATEMENT_COLUMNS.map((column) => textCell(words.columns[column])),
        style.separator,
      ) +
      balance('opening', head.from, head.opening),
    line: (line) =>
      row({
        ...cellsOf(head, line, number),
        day: day(line.day),
        time: `${day(line.local)} ${line.local.slice(11, 19)}`,
        kind: textCell(words.kinds[line.kind]),
        items: textCell(itemsInWords(line.items ?? [], (value) => number(amountOf(head, value)), number)),
      }),
    end: () => balance('closing', head.to, head.closing),
  };
}

const SCRIPT_NAMES: Readonly<Partial<Record<StatementColumn, string>>> = {
  ...{ walletAddress: 'wallet_address', otherAmount: 'other_amount', otherCurrency: 'other_currency', utc: 'time_utc' },
  ...{ homeAmount: 'home_amount', homeCurrency: 'home_currency', homeRate: 'home_rate' },
};

/** The CSV for scripts (RFC 4180): names of columns that never change, dots, and times of ISO 8601. */
export function scriptTable(head: StatementHead): StatementWriter {
  const row = (cells: Cells) => cellLine(STATEMENT_COLUMNS.map((column) => cells[column]));
  const balance = (kind: 'opening' | 'closing', day: string, value: bigint) =>
    row({ ...EMPTY, ...{ day, kind, balance: amountOf(head, value), currency: head.assetCode } });
  return {
    begin: () => cellLine(STATEMENT_COLUMNS.map((column) => SCRIPT_NAMES[column] ?? column)) + balance('opening', head.from, head.opening),
    line: (line) => row({ ...cellsOf(head, line, (text) => text), time: line.local, items: textCell(itemsInJson(head, line.items)) }),
    end: () => balance('closing', head.to, head.closing),
  };
}

/** Items as people write them: `2 × Rose 16,00; Card 3,50`. @param amount, number write as the table does */
const itemsInWords = (items: readonly SoldLine[], amount: (value: bigint) => string, number: (text: string) => string): string =>
  items.map(({ text, quantity, value }) => `${number(plainQuantity(quantity))} × ${text} ${amount(value)}`).join('; ');

/** Items as scripts read them: a JSON array of objects, whose amounts are text with a dot. */
const itemsInJson = (head: StatementHead, items: readonly SoldLine[] | null): string | null =>
  items &&
  JSON.stringify(items.map(({ text, quantity, value }) => ({ text, quantity: plainQuantity(quantity), amount: amountOf(head, value) })));

/** The cells that both tables have. @param number writes a decimal number as the table does */
function cellsOf(head: StatementHead, line: StatementLine, number: (text: string) => string): Cells {
  const amount = (value: bigint | null) => (value === null ? '' : number(amountOf(head, value)));
  const { other, exchanged, worth } = line;
  return {
    ...{ day: line.day, time: '', kind: line.kind, amount: amount(line.change), balance: amount(line.balance) },
    ...{ currency: textCell(head.assetCode), name: textCell(line.name), walletAddress: textCell(line.walletAddress) },
    ...{ description: textCell(line.description), reference: textCell(line.reference), note: textCell(line.note) },
    ...{ tax: amount(line.tax), tip: amount(line.tip), fee: amount(line.fee) },
    otherAmount: other === null ? '' : number(amountOf(other, other.value)),
    otherCurrency: textCell(other?.assetCode ?? exchanged?.assetCode ?? null),
    ...{ utc: new Date(line.at).toISOString(), payment: line.paymentId ?? '', id: line.id },
    rate: exchanged === null ? '' : number(exchanged.rate),
    homeAmount: worth === null ? '' : number(amountOf(worth, worth.value)),
    ...{ homeCurrency: textCell(worth?.assetCode ?? null), homeRate: number(worth?.rate ?? ''), items: '' },
  };
}

/** The CSV that Xero and QuickBooks import. The day is the only form of a date that no country reads in another way. */
export function bookkeeping(head: StatementHead, words: StatementWords): StatementWriter {
  const single = (text: string | null) => textCell(text === null ? null : onOneLine(text));
  return {
    begin: () => cellLine(['Date', 'Amount', 'Payee', 'Description', 'Reference']),
    line: (line) =>
      cellLine([
        ...[line.day, amountOf(head, line.change), single(partyOf(line)), single(aboutOf(line, words))],
        single(line.reference ?? line.id),
      ]),
    end: () => '',
  };
}
