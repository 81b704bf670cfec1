import fc from 'fast-check';
import { CashManagementEndOfDayReport } from 'iso20022.js';
import { expect, it } from 'vitest';
import type { StatementLine } from './statement.ts';
import { fileOf, headOf, lineOf, WORDS } from './testing/samples.ts';
import { writerOf } from './writers.ts';

// Another program reads the file here, which knows nothing of paydesk (decisions.md#D-309).

const written = (lines: readonly StatementLine[], opening = 0n) =>
  fileOf(writerOf({ format: 'camt053', language: 'en' }, headOf(lines, opening), WORDS), lines);
const read = (xml: string) => CashManagementEndOfDayReport.fromXML(xml);

it('another program reads the balances, the sums and every movement of a camt.053, to the cent', () => {
  const changes = fc.array(
    fc.bigInt({ min: -(10n ** 8n), max: 10n ** 8n }).filter((change) => change !== 0n),
    { maxLength: 20 },
  );
  fc.assert(
    fc.property(changes, fc.bigInt({ min: -5_000n, max: 5_000n }), (all, opening) => {
      const lines = all.map((change, n) => lineOf({ change, balance: 0n, id: `0190a6f4-1111-7000-8000-${String(n).padStart(12, '0')}` }));
      const head = headOf(lines, opening);
      const { messageId, statements } = read(written(lines, opening));
      expect(messageId).toBe(head.id);
      expect(statements).toHaveLength(1);
      const [statement] = statements;
      // It counts in floating point.
      const signed = ({ amount, creditDebitIndicator }: { amount: number; creditDebitIndicator: string }) =>
        BigInt(Math.round(amount)) * (creditDebitIndicator === 'credit' ? 1n : -1n);
      expect(statement?.balances.map((one) => [one.type, signed(one), one.currency])).toEqual([
        ['OPBD', head.opening, 'EUR'],
        ['CLBD', head.closing, 'EUR'],
      ]);
      expect([statement?.fromDate?.getTime(), statement?.toDate?.getTime()]).toEqual([head.start, head.end]);
      expect(statement?.numOfEntries).toBe(lines.length);
      expect(statement?.entries.map((one) => [one.referenceId, signed(one)])).toEqual(
        lines.map(({ id, change }) => [id.replaceAll('-', ''), change]),
      );
    }),
    { numRuns: 50 },
  );
});

it('another program reads when something moved, who paid, and what for', () => {
  const paymentId = '0190a6f4-3333-7000-8000-000000000003';
  const facts = { kind: 'received', name: 'Ann & <Bob>', description: 'Two roses', paymentId } as const;
  const [entry] = read(written([lineOf({ change: 1_250n, balance: 1_250n, ...facts })])).entries;
  expect(entry).toMatchObject({
    ...{ amount: 1_250, currency: 'EUR', creditDebitIndicator: 'credit', additionalInformation: 'The received', reversal: false },
    bankTransactionCode: { domainCode: 'PMNT', domainFamilyCode: 'RCDT', domainSubFamilyCode: 'OTHR' },
  });
  expect(entry?.bookingDate.toISOString().slice(0, 10)).toBe('2026-11-25');
  expect(entry?.transactions).toMatchObject([{ remittanceInformation: 'Two roses' }]);
});
