import { count, eq } from 'drizzle-orm';
import type { Core } from '../../platform/core.ts';
import type { Reader } from '../../platform/database/database.ts';
import { DAY_MS } from '../../platform/retention/rule.ts';
import { strangerRows } from '../tables.ts';

/** Whom a thing is counted for. */
type RowMaker = Partial<Record<'key' | 'origin' | 'network', string>>;
const SCOPES = ['key', 'origin', 'network'] as const;

/** How many things of strangers may lie on the disk at once (decisions.md#D-63). */
export interface RowLimits {
  key: number;
  origin: number;
  network: number;
  node: number;
  /** A party that has fewer things than this still comes in while the node is full, up to `nodeWithFew`. */
  few: number;
  nodeWithFew: number;
}
export const STRANGER_ROWS: RowLimits = { key: 2_000, origin: 10_000, network: 10_000, node: 20_000, few: 100, nodeWithFew: 40_000 };

/** How long a count is used again. What this process adds meanwhile is added to it. */
const COUNTED_MS = 10_000;
const MAX_COUNTS = 5_000;

/** A client brings money when somebody has lately paid at least one in so many of the things that it has left here. */
export const THINGS_FOR_A_PAYMENT = 4;
/** How long ago a payment may be, in milliseconds. */
export const LATELY_MS = 30 * DAY_MS;

interface Parts extends Pick<Core, 'database' | 'clock'> {
  limits?: RowLimits;
  /** Counts the paid incoming payments of a client that were made since a moment, up to `most`. */
  countPaid(reader: Reader, client: string, since: number, most: number): Promise<number>;
}

/**
 * Counts what strangers made that still lies on the disk: unpaid incoming payments, unused quotes, and grants that the
 * operator has not allowed. So no stranger fills the disk, however slowly. A retention rule removes what has gone.
 */
export class StrangerRows {
  readonly #parts: Parts;
  readonly #counts = new Map<string, { count: number; until: number }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Whose limit leaves no room for one more thing. It is undefined when there is room. There always is for a client
   * that brings money: the wallet of many customers leaves a grant here for each of them.
   */
  async refusalOf(maker: RowMaker): Promise<'caller' | 'node' | undefined> {
    const full = await this.#fullOf(maker);
    return full !== undefined && (await this.#bringsMoney(maker.key)) ? undefined : full;
  }

  async #fullOf(maker: RowMaker): Promise<'caller' | 'node' | undefined> {
    const limits = this.#parts.limits ?? STRANGER_ROWS;
    let most = 0;
    for (const scope of SCOPES) {
      const own = await this.#countOf(scope, maker[scope]);
      if (own >= limits[scope]) return 'caller';
      most = Math.max(most, own);
    }
    const all = await this.#countOf('node', '');
    return all < (most < limits.few ? limits.nodeWithFew : limits.node) ? undefined : 'node';
  }

  /** Remembers who made a thing. After a crash in between, the thing is not counted. */
  async note(maker: RowMaker, thingId: string): Promise<void> {
    const { key = null, origin = null, network = null } = maker;
    const row = { thingId, key, origin, network, madeAt: this.#parts.clock.now() };
    const made = await this.#parts.database.write((tx) =>
      tx.insert(strangerRows).values(row).onConflictDoNothing().returning({ thingId: strangerRows.thingId }),
    );
    if (made.length === 0) return;
    for (const [scope, value] of [...SCOPES.map((scope) => [scope, maker[scope]] as const), ['node', ''] as const]) {
      const counted = this.#counts.get(`${scope} ${value}`);
      if (counted !== undefined) counted.count += 1;
    }
  }

  async #bringsMoney(key: string | undefined): Promise<boolean> {
    if (key === undefined) return false;
    const { database, clock, countPaid } = this.#parts;
    const wanted = Math.ceil((await this.#countOf('key', key)) / THINGS_FOR_A_PAYMENT) || 1;
    const since = clock.now() - LATELY_MS;
    return (await this.#remembered(`paid ${wanted} ${key}`, () => countPaid(database.read, key, since, wanted))) >= wanted;
  }

  async #countOf(scope: keyof RowMaker | 'node', value: string | undefined): Promise<number> {
    if (value === undefined) return 0;
    return await this.#remembered(`${scope} ${value}`, async () => {
      const all = this.#parts.database.read.select({ number: count() }).from(strangerRows);
      const [row] = await (scope === 'node' ? all : all.where(eq(strangerRows[scope], value)));
      return Number(row?.number ?? 0);
    });
  }

  /** A count that was taken lately, or a new one. */
  async #remembered(name: string, take: () => Promise<number>): Promise<number> {
    const { clock } = this.#parts;
    const known = this.#counts.get(name);
    if (known !== undefined && clock.monotonic() < known.until) return known.count;
    const counted = { count: await take(), until: clock.monotonic() + COUNTED_MS };
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#counts.set(name, counted);
    return counted.count;
  }
}
