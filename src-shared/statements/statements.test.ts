import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parseSync as parseOfx } from 'ofx-js';
import { describe, expect, it } from 'vitest';
import { validateXML } from 'xmllint-wasm';
import { dayAt } from '../calendar.ts';
import { bytesOf } from './encoding.ts';
import { isOneFiscalYear } from './formats/datev.ts';
import { DATEV_COLUMNS } from './formats/datev-columns.ts';
import { isPeriod, monthOf, monthPeriod, quarterOfDay, quarterPeriod, yearPeriod } from './period.ts';
import { ShopTime } from './shop-time.ts';
import { STATEMENT_FORMATS, STATEMENT_KINDS, type StatementLine, suits } from './statement.ts';
import { CAMT053_SCHEMA } from './testing/camt053-schema.ts';
import { DATEV, fileOf, headOf, lineOf, WORDS } from './testing/samples.ts';
import { type FileChoice, writerOf } from './writers.ts';

const choiceOf = (format: (typeof STATEMENT_FORMATS)[number], language = 'en'): FileChoice =>
  format === 'datev' ? { format, language, datev: DATEV } : { format, language };
const written = (format: (typeof STATEMENT_FORMATS)[number], lines: readonly StatementLine[], language = 'en', opening = 0n) =>
  fileOf(writerOf(choiceOf(format, language), headOf(lines, opening), WORDS), lines);
const rowsOf = (text: string, delimiter = ','): string[][] => parse(text, { delimiter, bom: true, relax_column_count: true });
const isValidCamt = async (xml: string) =>
  await validateXML({ xml: [{ fileName: 'camt.xml', contents: xml }], schema: [CAMT053_SCHEMA], maxMemoryPages: 4_096 });

/** Texts of strangers: formulas, separators, markup, control characters, halves of pairs. */
const strange = fc.oneof(
  fc.constantFrom('=1+1', '+49 30', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '"; DROP', 'a;b,c"d', '</Nm>&amp;', ']]>', '\uFFFE\u0000\u001B[2J'),
  fc.string({ unit: 'binary', maxLength: 700 }),
  fc.string({ maxLength: 200 }).map((text) => `${text}\uD800`),
);
const maybe = fc.option(strange, { nil: null });
const moved = fc.record({
  kind: fc.constantFrom(...STATEMENT_KINDS),
  size: fc.bigInt({ min: 1n, max: 10n ** 8n }),
  name: maybe,
  walletAddress: maybe,
  description: maybe,
  reference: maybe,
  note: maybe,
});
const books = fc.array(moved, { maxLength: 12 }).map((all) => {
  let balance = 0n;
  return all.map(({ kind, size, ...facts }, n) => {
    const change = ['sent', 'refunded', 'withdrawal'].includes(kind) ? -size : size;
    balance += change;
    const id = `0190a6f4-1111-7000-8000-${String(n).padStart(12, '0')}`;
    return lineOf({ ...facts, kind, id, paymentId: id, change, balance, tax: 3n, tip: 0n, fee: 1n });
  });
});

describe('a statement as a file', () => {
  it('is a valid camt.053 with the sums of its lines, whatever strangers wrote', async () => {
    await fc.assert(
      fc.asyncProperty(books, async (lines) => {
        const xml = written('camt053', lines, 'en', 100n);
        const { valid, errors } = await isValidCamt(xml);
        expect(errors).toEqual([]);
        expect(valid).toBe(true);
        const head = headOf(lines, 100n);
        const sums = [...xml.matchAll(/<Ntry>.*?<Amt Ccy="EUR">([\d.]+)<\/Amt><CdtDbtInd>(\w+)</g)].map(
          ([, amount = '', side]) => BigInt(amount.replace('.', '')) * (side === 'DBIT' ? -1n : 1n),
        );
        expect(sums).toEqual(lines.map(({ change }) => change));
        expect(xml).toContain(`<NbOfNtries>${lines.length}</NbOfNtries>`);
        expect(head.opening + sums.reduce((sum, one) => sum + one, 0n)).toBe(head.closing);
      }),
      { numRuns: 6 },
    );
  }, 60_000);

  it('says which rule of camt.053 is broken, so that the test above notices one', async () => {
    const xml = written('camt053', [lineOf({ change: 5n, balance: 5n })]);
    expect((await isValidCamt(xml)).valid).toBe(true);
    for (const [from, to] of [
      ['<Sts>', '<Sts><Cd>BOOK</Cd></Sts><Sts>'],
      ['<CdtDbtInd>CRDT', '<CdtDbtInd>CREDIT'],
      ['<Ccy>EUR', '<Ccy>Euro'],
      ['0.05', '0.050001'],
    ] as const)
      expect((await isValidCamt(xml.replace(from, to))).valid).toBe(false);
  });

  it('is an OFX that another parser reads, with an id for each line that stays', () => {
    fc.assert(
      fc.property(books, (lines) => {
        const { OFX } = parseOfx(written('ofx', lines, 'en', 50n));
        const list = OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS;
        const all: { FITID: string; TRNAMT: string; NAME: string; MEMO: string; DTPOSTED: string }[] = [
          list.BANKTRANLIST.STMTTRN ?? [],
        ].flat();
        expect(all.map(({ FITID }) => FITID)).toEqual(lines.map(({ id }) => id));
        expect(all.map(({ TRNAMT }) => BigInt(TRNAMT.replace('.', '')))).toEqual(lines.map(({ change }) => change));
        expect(BigInt(String(list.LEDGERBAL.BALAMT).replace('.', ''))).toBe(headOf(lines, 50n).closing);
        expect(list.CURDEF).toBe('EUR');
        for (const { DTPOSTED } of all) expect(DTPOSTED).toMatch(/^20261125120000/);
      }),
    );
  });

  it.each(['en', 'de', 'fr', 'es', 'pt-BR', 'ar'])('is a table for people in %s, and no cell of it is a formula', (language) => {
    const separator = ['en', 'ar'].includes(language) ? ',' : ';';
    fc.assert(
      fc.property(books, (lines) => {
        const text = written('spreadsheet', lines, language, 7n);
        expect(text.startsWith('\uFEFF')).toBe(true);
        const rows = rowsOf(text, separator);
        expect(new Set(rows.map(({ length }) => length))).toEqual(new Set([24]));
        expect(rows).toHaveLength(lines.length + 3);
        const numbers = new Set([3, 4, 11, 12, 13, 15]);
        for (const row of rows)
          for (const [place, cell] of row.entries()) if (!numbers.has(place)) expect(cell).not.toMatch(/^\s*[=+\-@]|^[\t\r\n]/);
        const amounts = rows.slice(2, -1).map((row) => BigInt((row[3] ?? '').replace(/[.,]/, '')));
        expect(amounts).toEqual(lines.map(({ change }) => change));
      }),
      { numRuns: 30 },
    );
  });

  it('is a table for scripts with dots and times of ISO 8601 in every language', () => {
    const line = lineOf({
      change: -1_250n,
      balance: 8_750n,
      description: 'Rent, May',
      other: { assetCode: 'USD', assetScale: 2, value: 1_300n },
    });
    const text = written('csv', [line], 'de', 10_000n);
    expect(text).not.toContain('\uFEFF');
    const [names = [], opening = [], row = [], closing = []] = rowsOf(text);
    const cell = (of: readonly string[], name: string) => of[names.indexOf(name)];
    expect([cell(opening, 'kind'), cell(opening, 'balance')]).toEqual(['opening', '100.00']);
    expect([cell(closing, 'kind'), cell(closing, 'balance')]).toEqual(['closing', '87.50']);
    expect(
      ['amount', 'balance', 'time', 'time_utc', 'description', 'other_amount', 'other_currency'].map((name) => cell(row, name)),
    ).toEqual([...['-12.50', '87.50', '2026-11-25T14:05:03+01:00', '2026-11-25T13:05:03.000Z', 'Rent, May', '13.00', 'USD']]);
  });

  it('says what a movement was worth in the home currency, where that is known', () => {
    const worth = { assetCode: 'JPY', assetScale: 0, value: -2_031n, rate: '162.5' };
    const lines = [lineOf({ change: -1_250n, balance: 8_750n, worth }), lineOf({ change: 250n, balance: 9_000n })];
    const [names = [], , ...rows] = rowsOf(written('csv', lines, 'en', 10_000n));
    expect(names.slice(-4)).toEqual(['home_amount', 'home_currency', 'home_rate', 'items']);
    expect(rows.map((row) => row.slice(-4, -1))).toEqual([['-2031', 'JPY', '162.5'], ...Array(2).fill(['', '', ''])]);
    const [, , ofPeople = []] = rowsOf(written('spreadsheet', lines, 'de', 10_000n), ';');
    expect(ofPeople.slice(-4, -1)).toEqual(['-2031', 'JPY', '162,5']);
  });

  it('says what was sold in its last column, for people in words and for scripts as JSON', () => {
    const items = [
      { text: 'Rose, "red"', quantity: 2_000, value: 1_600n },
      { text: 'Tea', quantity: 350, value: 245n },
    ];
    const lines = [lineOf({ change: 1_845n, balance: 1_845n, items })];
    const [, , row = []] = rowsOf(written('csv', lines, 'en', 0n));
    expect(JSON.parse(row.at(-1) ?? '')).toEqual([
      { text: 'Rose, "red"', quantity: '2', amount: '16.00' },
      { text: 'Tea', quantity: '0.35', amount: '2.45' },
    ]);
    const [, , ofPeople = []] = rowsOf(written('spreadsheet', lines, 'de', 0n), ';');
    expect(ofPeople.at(-1)).toBe('2 × Rose, "red" 16,00; 0,35 × Tea 2,45');
  });

  it('says at which rate a payment changed its currency, where the format has a place for it', async () => {
    const exchanged = { assetCode: 'USD', rate: '1.0850000012', inverse: '0.9216589851' };
    const sent = lineOf({ change: -1_250n, balance: 8_750n, other: { assetCode: 'USD', assetScale: 2, value: 1_356n }, exchanged });
    const back = lineOf({ change: 250n, balance: 9_000n, kind: 'returned', exchanged });
    const plain = lineOf({ change: 100n, balance: 9_100n });
    const lines = [sent, back, plain];
    const [names = [], , ...rows] = rowsOf(written('csv', lines, 'de', 10_000n));
    const cells = (name: string) => rows.slice(0, 3).map((row) => row[names.indexOf(name)]);
    expect([cells('rate'), cells('other_currency'), cells('other_amount')]).toEqual([
      ['1.0850000012', '1.0850000012', ''],
      ['USD', 'USD', ''],
      ['13.56', '', ''],
    ]);
    const [, , ofPeople = []] = rowsOf(written('spreadsheet', lines, 'de', 10_000n), ';');
    expect(ofPeople[names.indexOf('rate')]).toBe('1,0850000012');

    const camt = written('camt053', lines, 'en', 10_000n);
    expect((await isValidCamt(camt)).errors).toEqual([]);
    const changes = [...camt.matchAll(/<AmtDtls>(.*?)<\/AmtDtls>/g)].map(([, text = '']) => text.replaceAll(/<\/\w+>/g, ''));
    expect(changes).toEqual([
      '<InstdAmt><Amt Ccy="USD">13.56<TxAmt><Amt Ccy="EUR">12.50<CcyXchg><SrcCcy>EUR<TrgtCcy>USD<UnitCcy>EUR<XchgRate>1.0850000012',
      '<TxAmt><Amt Ccy="EUR">2.50<CcyXchg><SrcCcy>USD<TrgtCcy>EUR<UnitCcy>EUR<XchgRate>1.0850000012',
    ]);
    const { STMTTRN } = parseOfx(written('ofx', lines, 'en', 10_000n)).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST;
    expect(STMTTRN.map(({ ORIGCURRENCY }: { ORIGCURRENCY?: object }) => ORIGCURRENCY)).toEqual([
      { CURRATE: '0.9216589851', CURSYM: 'USD' },
      { CURRATE: '0.9216589851', CURSYM: 'USD' },
      undefined,
    ]);
  });

  it.each([
    ['one yen in a coin of many places', { assetCode: 'XBT', rate: '0.00000006543210987', inverse: '15283015.52' }, 'XBT', '15283015.52'],
    ['a whole number', { assetCode: 'JPY', rate: '162', inverse: '0.0061728395' }, 'EUR', '162'],
    ['no rate that the format can hold', { assetCode: 'XBT', rate: '0.00000000001', inverse: '100000000000' }, undefined, undefined],
    ['a currency without a code', { assetCode: 'POINTS', rate: '2', inverse: '0.5' }, undefined, undefined],
  ] as const)('is a valid camt.053 with the rate of %s', async (_, exchanged, unit, rate) => {
    const camt = written('camt053', [lineOf({ change: -5n, balance: -5n, exchanged })]);
    expect((await isValidCamt(camt)).errors).toEqual([]);
    expect([/<UnitCcy>(\w+)/.exec(camt)?.[1], /<XchgRate>([\d.]+)/.exec(camt)?.[1]]).toEqual([unit, rate]);
  });

  it('is what Xero and QuickBooks import', () => {
    const rows = rowsOf(
      written('bookkeeping', [lineOf({ change: 1_200n, balance: 1_200n, name: 'Ann', description: 'Two\nroses', reference: 'R-1' })]),
    );
    expect(rows).toEqual([
      ['Date', 'Amount', 'Payee', 'Description', 'Reference'],
      ['2026-11-25', '12.00', 'Ann', 'Two roses', 'R-1'],
    ]);
  });

  it('is a batch of bookings for DATEV: its fields, their count, length and form', () => {
    fc.assert(
      fc.property(books, (lines) => {
        const bytes = bytesOf(written('datev', lines), 'datev');
        const text = new TextDecoder('windows-1252').decode(bytes);
        const [about = [], names = [], ...rows] = rowsOf(text, ';');
        expect(about).toHaveLength(31);
        expect(about.slice(0, 5)).toEqual(['EXTF', '700', '21', 'Buchungsstapel', '12']);
        expect(about[5]).toMatch(/^\d{17}$/);
        expect(about.slice(10, 16)).toEqual(['1001', '7', '20260101', '4', '20261101', '20261130']);
        expect(names).toEqual(DATEV_COLUMNS);
        expect(names).toHaveLength(124);
        expect(rows).toHaveLength(lines.length);
        for (const [n, row] of rows.entries()) {
          const line = lines[n];
          expect(row).toHaveLength(124);
          expect(row[0]).toMatch(/^\d{1,10},\d\d$/);
          expect(BigInt((row[0] ?? '').replace(',', '')) * (row[1] === 'H' ? -1n : 1n)).toBe(line?.change);
          expect(row[6]).toBe('1800');
          expect(['4400', '5900', '1460']).toContain(row[7]);
          expect(row[9]).toBe('2511');
          // The format allows these signs in the field, and a spreadsheet computes what begins with some of them.
          expect(row[10]).toMatch(/^([A-Za-z0-9$&%*/][A-Za-z0-9$&%*+/-]{0,35})?$/);
          expect(row[13]?.length).toBeLessThanOrEqual(60);
        }
      }),
    );
  });

  it.each([
    ['#12', '12'],
    ['@7', '7'],
    ['–9', '9'],
    ['+49 30', '49-30'],
    ['=1+1', '1+1'],
    ['Table 4', 'Table-4'],
    ['№', '0190a6f4-1111-7000-8000-000000000007'],
  ])('has the reference %s in DATEV as %s', (reference, field) => {
    const id = '0190a6f4-1111-7000-8000-000000000007';
    const lines = [lineOf({ kind: 'received', id, paymentId: id, change: 5n, balance: 5n, reference })];
    expect(rowsOf(written('datev', lines), ';')[2]?.[10]).toBe(field);
  });

  it('is the same each time', () => {
    const lines = fc.sample(books, { numRuns: 3, seed: 5 }).flat();
    for (const format of STATEMENT_FORMATS) expect(written(format, lines)).toBe(written(format, lines));
  });

  it('says so when nothing has moved', async () => {
    expect(rowsOf(written('csv', [], 'en', 5n)).map((row) => row[2])).toEqual(['kind', 'opening', 'closing']);
    expect((await isValidCamt(written('camt053', [], 'en', 5n))).valid).toBe(true);
    expect(parseOfx(written('ofx', [])).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.LEDGERBAL.BALAMT).toBe('0.00');
  });
});

describe('what a format can hold', () => {
  it.each([
    ['camt053', 'EUR', 2, 1n, true],
    ['camt053', 'XRP', 6, 1n, false],
    ['camt053', 'EUR', 2, 10n ** 18n, false],
    ['camt053', 'POINTS', 2, 1n, false],
    ['ofx', 'JPY', 0, 1n, true],
    ['datev', 'EUR', 3, 1n, false],
    ['csv', 'POINTS', 18, 10n ** 18n, true],
  ] as const)('%s with %s and %d places', (format, assetCode, assetScale, largest, expected) => {
    expect(suits(format, { assetCode, assetScale }, largest)).toBe(expected);
  });

  it('is one fiscal year for DATEV', () => {
    expect(isOneFiscalYear({ from: '2026-01-01', to: '2026-12-31' }, DATEV)).toBe(true);
    expect(isOneFiscalYear({ from: '2026-12-31', to: '2027-01-01' }, DATEV)).toBe(false);
    expect(isOneFiscalYear({ from: '2026-06-30', to: '2026-07-01' }, { ...DATEV, yearBegins: 7 })).toBe(false);
  });
});

describe('the days of a statement', () => {
  it('are those of a month, a quarter or a year', () => {
    expect(monthPeriod('2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' });
    expect(monthPeriod('2026-12')).toEqual({ from: '2026-12-01', to: '2026-12-31' });
    expect(quarterPeriod('2026-Q4')).toEqual({ from: '2026-10-01', to: '2026-12-31' });
    expect(yearPeriod('2026')).toEqual({ from: '2026-01-01', to: '2026-12-31' });
    for (const wrong of ['2026-13', '2026-00', '2026-1', 'x']) expect(monthPeriod(wrong)).toBeUndefined();
    expect(quarterPeriod('2026-Q5')).toBeUndefined();
    expect([monthOf('2026-01-31', 1), monthOf('2026-03-31', 14), quarterOfDay('2026-09-30')]).toEqual(['2025-12', '2025-01', '2026-Q3']);
    expect([isPeriod('2026-01-02', '2026-01-01'), isPeriod('2026-02-30', '2026-03-01'), isPeriod('2000-01-01', '2026-01-01')]).toEqual([
      ...[false, false, false],
    ]);
  });

  it.each(['Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC'])(
    'and the times are those of the clock in %s',
    (timeZone) => {
      const days = { timeZone, dayEndsAt: 180 };
      const from = Date.UTC(2026, 0, 1);
      fc.assert(
        fc.property(fc.array(fc.integer({ min: 0, max: 366 * 86_400_000 }), { maxLength: 40 }), (steps) => {
          const time = new ShopTime(days);
          for (const at of steps.map((step) => from + step).sort((a, b) => a - b)) {
            expect(time.dayOf(at)).toBe(dayAt(at, days));
            expect(Date.parse(time.localOf(at))).toBe(at - (at % 1_000));
          }
        }),
        { numRuns: 20 },
      );
    },
  );
});
