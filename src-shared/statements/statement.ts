import { type Asset, toDecimal } from '../amounts.ts';
import type { SoldLine } from '../bills/sold-line.ts';
import type { Day } from '../calendar.ts';

/**
 * The reason why the balance of an account moved.
 * - `received`: a payment came.
 * - `sent`: a payment left. One to another wallet, or to another currency, is booked when its money is set aside.
 * - `refunded`: the same, for money that goes back to the payer of a received payment.
 * - `returned`: the part of a payment that was not spent came back.
 * - `deposit`, `withdrawal`: a movement that the operator recorded by hand.
 */
export const STATEMENT_KINDS = ['received', 'sent', 'refunded', 'returned', 'deposit', 'withdrawal'] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

/**
 * The files that a statement can be:
 * - `spreadsheet`: CSV for people, in their language;
 * - `csv`: CSV for scripts (RFC 4180);
 * - `bookkeeping`: the CSV that Xero and QuickBooks import;
 * - `camt053`: ISO 20022 camt.053.001.08;
 * - `ofx`: OFX 2.1.1;
 * - `datev`: DATEV EXTF, a batch of bookings (Buchungsstapel).
 */
export const STATEMENT_FORMATS = ['spreadsheet', 'csv', 'bookkeeping', 'camt053', 'ofx', 'datev'] as const;
export type StatementFormat = (typeof STATEMENT_FORMATS)[number];

/** The name and the form of a file of a format. */
interface FileKind {
  /** The end of the file's name, after a dot. */
  readonly extension: string;
  readonly mediaType: string;
  /** `latin1` is the part of Windows-1252 that ISO 8859-1 has as well. */
  readonly encoding: 'utf-8' | 'latin1';
}

const TABLE = { extension: 'csv', mediaType: 'text/csv; charset=utf-8; header=present', encoding: 'utf-8' } as const;

export const FILE_KINDS: Readonly<Record<StatementFormat, FileKind>> = {
  spreadsheet: TABLE,
  csv: TABLE,
  bookkeeping: TABLE,
  camt053: { extension: 'xml', mediaType: 'application/xml; charset=utf-8', encoding: 'utf-8' },
  ofx: { extension: 'ofx', mediaType: 'application/x-ofx; charset=utf-8', encoding: 'utf-8' },
  datev: { extension: 'csv', mediaType: 'text/csv; charset=windows-1252', encoding: 'latin1' },
};

/** The limits of each format. Without a limit it holds every account. */
const LIMITS: Readonly<Partial<Record<StatementFormat, { scale: number; digits: number; lines?: number }>>> = {
  camt053: { scale: 5, digits: 18 },
  ofx: { scale: 18, digits: 32 },
  datev: { scale: 2, digits: 12, lines: 99_999 },
};

/** The most lines that a file of this format may have. It is undefined where there is no limit. */
export const mostLines = (format: StatementFormat): number | undefined => LIMITS[format]?.lines;

/**
 * Whether files of this format can name the account's currency and state its amounts exactly. They know the three
 * letters of ISO 4217, and only so many decimal places and digits.
 * @param largest the largest amount that will be stated, in smallest units, without its sign
 */
export function suits(format: StatementFormat, { assetCode, assetScale }: Asset, largest = 0n): boolean {
  const limits = LIMITS[format];
  if (limits === undefined) return true;
  return /^[A-Z]{3}$/.test(assetCode) && assetScale <= limits.scale && largest.toString().length <= limits.digits;
}

/** The number of movements in one direction, and their sum in smallest units, without a sign. */
export interface SideSum {
  readonly sum: bigint;
  readonly count: number;
}

/** The facts of a statement before its lines. All amounts are in smallest units of the account. */
export interface StatementHead extends Asset {
  /** 32 hexadecimal digits, the same for each export of the account and the period. */
  readonly id: string;
  /** The id of the account, a UUID. */
  readonly accountId: string;
  readonly publicName: string;
  readonly walletAddress: string;
  /** The first day and the last one, both of the shop. */
  readonly from: Day;
  readonly to: Day;
  /** The beginning of the first day, and the end of the last one, in milliseconds since the Unix epoch. */
  readonly start: number;
  readonly end: number;
  readonly timeZone: string;
  /** The time of the last movement, or the beginning of the period without one. */
  readonly lastAt: number;
  /** Whether the period is over, so that nothing more can come into it. */
  readonly isEnded: boolean;
  readonly opening: bigint;
  readonly closing: bigint;
  readonly credits: SideSum;
  readonly debits: SideSum;
}

/** One movement of an account. All amounts are in smallest units of the account, unless they name another asset. */
export interface StatementLine {
  /** The id of the movement in the ledger. It never changes. */
  readonly id: string;
  readonly paymentId: string | null;
  /** The time, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The same moment by the shop's clock, such as `2026-11-25T14:05:03+01:00`. */
  readonly local: string;
  /** The day of the shop to which it belongs. */
  readonly day: Day;
  readonly kind: StatementKind;
  /** The change of the balance. It is below zero when the balance falls. */
  readonly change: bigint;
  /** The balance after it. */
  readonly balance: bigint;
  /** The other side, where it is proven: the name of an account of this node that paid or was paid. */
  readonly name: string | null;
  /** The wallet address of the same; for another wallet at least its host, when only that is known. */
  readonly walletAddress: string | null;
  readonly description: string | null;
  readonly reference: string | null;
  /** The operator's note. It is for the operator's own books. */
  readonly note: string | null;
  /** The tax and the tip that came with it, below zero what a refund gave back. They are null when it has no bill. */
  readonly tax: bigint | null;
  readonly tip: bigint | null;
  /** What was sold, on the first movement that pays a bill. */
  readonly items: readonly SoldLine[] | null;
  /** The cost of a payment in the same currency beyond what is to arrive. */
  readonly fee: bigint | null;
  /** The amount that is to arrive, when it is in another currency. */
  readonly other: (Asset & { readonly value: bigint }) | null;
  /** The rate of a payment that changed its currency. */
  readonly exchanged: ExchangedAt | null;
  /** The worth of the change in the shop's home currency. It is null where the shop has none, or no rate counted. */
  readonly worth: Worth | null;
}

/** The value of a movement in the home currency, in smallest units of that. It has the sign of the movement. */
export interface Worth extends Asset {
  readonly value: bigint;
  /** What one unit of the account's currency was worth in it then, as decimal text. It is null for one currency. */
  readonly rate: string | null;
}

/**
 * The rate at which a payment was priced, with all fees, as decimal text of at most ten significant digits: what one
 * unit of the account's currency is in the other one, and the other way round.
 */
export interface ExchangedAt {
  /** The code of the other currency. */
  readonly assetCode: string;
  readonly rate: string;
  readonly inverse: string;
}

/** The words of the files, in the language that was asked for. */
export interface StatementWords {
  readonly columns: Readonly<Record<StatementColumn, string>>;
  readonly kinds: Readonly<Record<StatementKind | 'opening' | 'closing', string>>;
}

/** The columns of the table for people. */
export const STATEMENT_COLUMNS = [
  ...(['day', 'time', 'kind', 'amount', 'balance', 'currency', 'name', 'walletAddress', 'description', 'reference', 'note'] as const),
  ...(['tax', 'tip', 'fee', 'otherAmount', 'otherCurrency', 'utc', 'payment', 'id', 'rate'] as const),
  ...(['homeAmount', 'homeCurrency', 'homeRate', 'items'] as const),
] as const;
export type StatementColumn = (typeof STATEMENT_COLUMNS)[number];

/** Makes a file of a statement, piece by piece. The same statement makes the same file. */
export interface StatementWriter {
  begin(): string;
  line(line: StatementLine): string;
  end(): string;
}

/** An amount of the account as decimal text with a dot, such as `-12.50`. */
export const amountOf = ({ assetScale }: Asset, value: bigint): string => toDecimal(value, assetScale);

/** An amount without its sign. */
export const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);

/** The other side as one text: the name and the wallet address, as far as they are known. */
export const partyOf = ({ name, walletAddress }: Pick<StatementLine, 'name' | 'walletAddress'>): string | null => name ?? walletAddress;

/** The subject of a movement as one text: what it was for, or else what kind of movement it is. */
export const aboutOf = ({ description, kind }: StatementLine, { kinds }: StatementWords): string => description || kinds[kind];
