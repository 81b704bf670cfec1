import { and, eq } from 'drizzle-orm';
import { appendEvent } from '../journal/events.ts';
import type { Core } from '../platform/core.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { exchangeFees } from './tables.ts';

type ExchangeFee = typeof exchangeFees.$inferSelect;

/** The fees that the operator takes from payers whose money is exchanged, one for each pair. */
export class ExchangeFees {
  readonly #parts: Pick<Core, 'database' | 'clock'>;

  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /** Sets the fee of a pair, or replaces it. Prices that were promised keep theirs. */
  async set(fee: Omit<ExchangeFee, 'updatedAt'>): Promise<Result<ExchangeFee, 'same_currency'>> {
    if (fee.base === fee.quote) return refuse('same_currency');
    const at = this.#parts.clock.now();
    const row: ExchangeFee = { ...fee, updatedAt: at };
    await this.#parts.database.write(async (tx) => {
      await tx
        .insert(exchangeFees)
        .values(row)
        .onConflictDoUpdate({ target: [exchangeFees.base, exchangeFees.quote], set: row });
      const { fixed, minimum, shareBps } = row;
      await appendEvent(tx, {
        type: 'rate.fee_set',
        subject: `${row.base}/${row.quote}`,
        body: { fixed, minimum, shareBps: String(shareBps) },
        at,
      });
    });
    return ok(row);
  }

  async remove(base: string, quote: string): Promise<Result<ExchangeFee, 'not_found'>> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const [row] = await tx
        .delete(exchangeFees)
        .where(and(eq(exchangeFees.base, base), eq(exchangeFees.quote, quote)))
        .returning();
      if (row === undefined) return refuse('not_found');
      await appendEvent(tx, { type: 'rate.fee_removed', subject: `${base}/${quote}`, body: {}, at });
      return ok(row);
    });
  }
}
