import { and, eq } from 'drizzle-orm';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader, Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { notePastRates } from '../past-rates.ts';
import { saidInOrder } from '../said-rates.ts';
import { followedRates, rates } from '../tables.ts';
import { judge, type Verdict } from './believing.ts';

/** A pair that follows the sources, as the database has it. */
type FollowedRate = typeof followedRates.$inferSelect;

/** The operator's choice of how a pair follows the sources. The table says what each member means. */
type Following = Pick<FollowedRate, 'base' | 'quote' | 'spreadBps' | 'maxJumpBps' | 'maxAgeSeconds' | 'fallsBack'>;

const isPair = (table: typeof followedRates | typeof rates, base: string, quote: string) =>
  and(eq(table.base, base), eq(table.quote, quote));

const isSame = (row: FollowedRate, next: FollowedRate): boolean =>
  (['rate', 'source', 'asOf', 'refused', 'refusedSource', 'refusedAsOf'] as const).every((name) => row[name] === next[name]);

/**
 * The pair after a verdict. A refusal stands until a source tells a rate that the node believes. The node refuses no
 * rate before that one.
 */
function after(row: FollowedRate, { believed, refused }: Verdict, at: number): FollowedRate {
  const told = believed && { rate: believed.rate, source: believed.source, asOf: believed.asOf, believedAt: at };
  if (refused !== undefined) return { ...row, ...told, refused: refused.rate, refusedSource: refused.source, refusedAsOf: refused.asOf };
  return believed === undefined ? row : { ...row, ...told, refused: null, refusedSource: null, refusedAsOf: null };
}

/** Decides which rate of each pair the node believes, inside the write that changes what the sources say. */
export async function believeAll(tx: Tx, at: number): Promise<void> {
  const sources = await saidInOrder(tx);
  for (const row of await tx.select().from(followedRates).orderBy(followedRates.base, followedRates.quote))
    await believe(tx, row, sources, at);
  await notePastRates(tx, at);
}

async function believe(tx: Tx, row: FollowedRate, sources: Parameters<typeof judge>[1], at: number): Promise<FollowedRate> {
  const [byHand] = await tx
    .select({ rate: rates.rate })
    .from(rates)
    .where(isPair(rates, row.base, row.quote));
  const next = after(row, judge(row, sources, byHand?.rate, at), at);
  if (isSame(row, next)) return row;
  await store(tx, next);
  const subject = `${row.base}/${row.quote}`;
  if (next.rate !== row.rate)
    await appendEvent(tx, { type: 'rate.moved', subject, body: { rate: next.rate ?? '', source: next.source ?? '' }, at });
  if (next.refused !== null && next.refused !== row.refused)
    await appendEvent(tx, { type: 'rate.jump_refused', subject, body: { rate: next.refused, source: next.refusedSource ?? '' }, at });
  return next;
}

async function store(tx: Tx, row: FollowedRate): Promise<void> {
  await tx
    .insert(followedRates)
    .values(row)
    .onConflictDoUpdate({ target: [followedRates.base, followedRates.quote], set: row });
}

const find = async (reader: Reader, base: string, quote: string): Promise<FollowedRate | undefined> =>
  (
    await reader
      .select()
      .from(followedRates)
      .where(isPair(followedRates, base, quote))
  )[0];

/** The pairs whose rates come from the sources. */
export class FollowedRates {
  readonly #parts: Pick<Core, 'database' | 'clock'>;

  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /** Every such pair, ordered by its currencies. */
  async list(): Promise<FollowedRate[]> {
    return await this.#parts.database.readAside.select().from(followedRates).orderBy(followedRates.base, followedRates.quote);
  }

  /**
   * Lets a pair follow the sources, or changes how it does. The believed rate stays, and the node asks the sources at
   * once.
   */
  async follow(following: Following): Promise<Result<FollowedRate, 'same_currency'>> {
    const { base, quote } = following;
    if (base === quote) return refuse('same_currency');
    const at = this.#parts.clock.now();
    const none = { rate: null, source: null, asOf: null, believedAt: null, refused: null, refusedSource: null, refusedAsOf: null };
    return await this.#parts.database.write(async (tx) => {
      const before = await find(tx, base, quote);
      const row: FollowedRate = { ...none, ...before, ...following, updatedAt: at };
      await store(tx, row);
      const { spreadBps, maxJumpBps, maxAgeSeconds, fallsBack } = following;
      await appendEvent(tx, {
        type: 'rate.followed',
        subject: `${base}/${quote}`,
        body: {
          spreadBps: String(spreadBps),
          maxJumpBps: String(maxJumpBps),
          maxAgeSeconds: String(maxAgeSeconds),
          fallsBack: String(fallsBack),
        },
        at,
      });
      await believeAll(tx, at);
      return ok((await find(tx, base, quote)) ?? row);
    });
  }

  /** Ends that a pair follows the sources. The operator's own rate counts from now on. */
  async unfollow(base: string, quote: string): Promise<Result<FollowedRate, 'not_found'>> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const [row] = await tx
        .delete(followedRates)
        .where(isPair(followedRates, base, quote))
        .returning();
      if (row === undefined) return refuse('not_found');
      await appendEvent(tx, { type: 'rate.unfollowed', subject: `${base}/${quote}`, body: {}, at });
      await notePastRates(tx, at, row);
      return ok(row);
    });
  }

  /**
   * Believes a rate that the node refused because it is too far from the one before.
   * @param rate the rate that the console showed to the operator.
   * `jump_changed`: by now the node refuses another one, or none.
   */
  async confirmJump(base: string, quote: string, rate: string): Promise<Result<FollowedRate, 'not_found' | 'jump_changed'>> {
    const at = this.#parts.clock.now();
    const confirmed = await this.#parts.database.write(async (tx): Promise<Result<FollowedRate, 'not_found' | 'jump_changed'>> => {
      const row = await find(tx, base, quote);
      if (row === undefined) return refuse('not_found');
      if (row.refused !== rate) return refuse('jump_changed');
      const { refused, refusedSource, refusedAsOf } = row;
      const cleared = { refused: null, refusedSource: null, refusedAsOf: null };
      const next: FollowedRate = { ...row, ...cleared, rate: refused, source: refusedSource, asOf: refusedAsOf, believedAt: at };
      await store(tx, next);
      failPoint('rate-step');
      await appendEvent(tx, { type: 'rate.jump_confirmed', subject: `${base}/${quote}`, body: { rate, source: refusedSource ?? '' }, at });
      await notePastRates(tx, at);
      return ok(next);
    });
    failPoint('rate-step');
    return confirmed;
  }
}
