import type { DatevSettings } from '../datev-settings.ts';
import {
  STATEMENT_COLUMNS,
  STATEMENT_KINDS,
  type StatementColumn,
  type StatementHead,
  type StatementLine,
  type StatementWords,
  type StatementWriter,
} from '../statement.ts';

const named = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, `The ${name}`])) as Record<Name, string>;

/** Words that tell which they are. */
export const WORDS: StatementWords = {
  columns: named<StatementColumn>(STATEMENT_COLUMNS),
  kinds: named([...STATEMENT_KINDS, 'opening', 'closing']),
};

export const DATEV: DatevSettings = {
  ...{ consultant: 1_001, client: 7, yearBegins: 1 },
  ...{ wallet: '1800', received: '4400', sent: '5900', transit: '1460' },
};

const NOTHING = {
  ...{ paymentId: null, name: null, walletAddress: null, description: null, reference: null, note: null },
  ...{ tax: null, tip: null, items: null, fee: null, other: null, exchanged: null, worth: null },
};

/** One line of a statement, without facts beside its amount unless they are given. */
export const lineOf = (facts: Partial<StatementLine> & Pick<StatementLine, 'change' | 'balance'>): StatementLine => ({
  ...NOTHING,
  ...{ id: '0190a6f4-1111-7000-8000-000000000001', at: Date.UTC(2026, 10, 25, 13, 5, 3), local: '2026-11-25T14:05:03+01:00' },
  ...{ day: '2026-11-25', kind: facts.change < 0n ? 'sent' : 'received' },
  ...facts,
});

/** The head of a statement of November 2026 in euros whose lines are these. */
export function headOf(lines: readonly StatementLine[], opening = 0n): StatementHead {
  const side = (isIn: (change: bigint) => boolean) => {
    const changes = lines.map(({ change }) => change).filter(isIn);
    return { sum: changes.reduce((sum, change) => sum + (change < 0n ? -change : change), 0n), count: changes.length };
  };
  const [credits, debits] = [side((change) => change > 0n), side((change) => change < 0n)];
  return {
    ...{ id: '0123456789abcdef0123456789abcdef', accountId: '0190a6f4-2222-7000-8000-000000000002', publicName: 'Bücher & <Tee>' },
    ...{ walletAddress: 'https://pay.example/shop', assetCode: 'EUR', assetScale: 2, from: '2026-11-01', to: '2026-11-30' },
    ...{ start: Date.UTC(2026, 9, 31, 23), end: Date.UTC(2026, 10, 30, 23), timeZone: 'Europe/Berlin' },
    ...{ lastAt: lines.at(-1)?.at ?? Date.UTC(2026, 9, 31, 23), isEnded: true },
    ...{ opening, closing: opening + credits.sum - debits.sum, credits, debits },
  };
}

/** The whole file. */
export const fileOf = (writer: StatementWriter, lines: readonly StatementLine[]): string =>
  writer.begin() + lines.map((line) => writer.line(line)).join('') + writer.end();
