import type { Day } from '../../calendar.ts';
import { cut, inert, onOneLine } from '../cells.ts';
import type { DatevSettings } from '../datev-settings.ts';
import {
  aboutOf,
  amountOf,
  partyOf,
  type StatementHead,
  type StatementKind,
  type StatementLine,
  type StatementWords,
  type StatementWriter,
  sizeOf,
} from '../statement.ts';
import { DATEV_COLUMNS } from './datev-columns.ts';

// A batch of bookings (Buchungsstapel) of the DATEV format: EXTF version 700, category 21, version 12 of the category.
// The columns have German names, because the format has.

const VERSION = { header: '700', category: '21', name: 'Buchungsstapel', format: '12' } as const;

const LENGTHS = { title: 30, text: 60, reference: 36 } as const;

/** Which of the operator's accounts stands against the wallet's. */
const AGAINST: Readonly<Record<StatementKind, 'received' | 'sent' | 'transit'>> = {
  received: 'received',
  refunded: 'received',
  sent: 'sent',
  returned: 'sent',
  deposit: 'transit',
  withdrawal: 'transit',
};

/** Latin letters with marks, as far as the file's encoding has them. */
const quoted = (text: string, most: number): string =>
  `"${inert(cut(onOneLine(text), most))
    .slice(0, most)
    .replaceAll('"', '""')}"`;

/**
 * The number of the document in the few signs that its field takes. None of them could defuse a formula, so the text
 * begins with no sign with which a formula begins. It is empty when nothing is left.
 */
const documentNumber = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9$&%*+/-]/g, '-')
    .replace(/^[+-]+/, '')
    .slice(0, LENGTHS.reference);

const compact = (day: Day): string => day.replaceAll('-', '');

/** The beginning of the fiscal year in which a day lies, as YYYYMMDD. */
function yearBegin(day: Day, month: number): string {
  const year = Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < month ? 1 : 0);
  return `${year}${String(month).padStart(2, '0')}01`;
}

/** Whether both days lie in one fiscal year. A batch may not have bookings of two. */
export const isOneFiscalYear = ({ from, to }: Pick<StatementHead, 'from' | 'to'>, { yearBegins }: DatevSettings): boolean =>
  yearBegin(from, yearBegins) === yearBegin(to, yearBegins);

/** The batch: a line about it, the names of the columns, and one line for each movement. */
export function datev(head: StatementHead, words: StatementWords, settings: DatevSettings): StatementWriter {
  return {
    begin: () => `${about(head, settings).join(';')}\r\n${DATEV_COLUMNS.join(';')}\r\n`,
    line: (line) => `${booking(head, line, words, settings).join(';')}\r\n`,
    end: () => '',
  };
}

function about(head: StatementHead, { consultant, client, yearBegins, wallet }: DatevSettings): string[] {
  // The batch is as old as its last movement, so that the same export makes the same file.
  const made = new Date(head.lastAt).toISOString().replace(/\D/g, '').slice(0, 17);
  return [
    ...['"EXTF"', VERSION.header, VERSION.category, `"${VERSION.name}"`, VERSION.format, made, '', '"RE"', '""', '""'],
    ...[String(consultant), String(client), yearBegin(head.from, yearBegins), String(wallet.length)],
    ...[compact(head.from), compact(head.to), quoted(`${head.publicName} ${head.from}`, LENGTHS.title), '""', '1', '0', '0'],
    ...[quoted(head.assetCode, 3), '', '""', '', '', '""', '', '', '""', '""'],
  ];
}

function booking(head: StatementHead, line: StatementLine, words: StatementWords, settings: DatevSettings): string[] {
  const texts = [aboutOf(line, words), partyOf(line)].filter((text) => text !== null && text !== '');
  const cells = new Map<string, string>([
    ['Umsatz (ohne Soll/Haben-Kz)', amountOf(head, sizeOf(line.change)).replace('.', ',')],
    // Money that comes is a debit of the wallet's account.
    ['Soll/Haben-Kennzeichen', line.change < 0n ? '"H"' : '"S"'],
    ['WKZ Umsatz', quoted(head.assetCode, 3)],
    ['Konto', settings.wallet],
    ['Gegenkonto (ohne BU-Schlüssel)', settings[AGAINST[line.kind]]],
    ['Belegdatum', line.day.slice(8, 10) + line.day.slice(5, 7)],
    ['Belegfeld 1', `"${documentNumber(line.reference ?? '') || documentNumber(line.paymentId ?? line.id)}"`],
    ['Buchungstext', quoted(texts.join(', '), LENGTHS.text)],
    ['Buchungs GUID', quoted(line.id, LENGTHS.reference)],
    ['Festschreibung', '0'],
  ]);
  return DATEV_COLUMNS.map((column) => cells.get(column) ?? '');
}
