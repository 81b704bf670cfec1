import { count, eq } from 'drizzle-orm';
import type { Core } from '../../platform/core.ts';
import { strangerRows } from '../tables.ts';

/** Whom a thing is counted for. */
export type RowMaker = Partial<Record<'key' | 'origin' | 'network', string>>;
const SCOPES = ['key', 'origin', 'network'] as const;

/** How many things of strangers may lie on the disk at once (decisions.md#D-63). */
export interface RowLimits {
  key: number;
  origin: number;
  network: number;
  node: number;
  /** While the node is full, whoever has fewer than `few` still comes in, up to `nodeWithFew`. */
  few: number;
  nodeWithFew: number;
}
const LIMITS: RowLimits = { key: 2_000, origin: 10_000, network: 10_000, node: 20_000, few: 100, nodeWithFew: 40_000 };

/** How long a count is used again. What this process adds meanwhile is added to it. */
const COUNTED_MS = 10_000;
const MAX_COUNTS = 5_000;

interface Parts extends Pick<Core, 'database' | 'clock'> {
  limits?: RowLimits;
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

  /** Whose limit leaves no room for one more thing. It is undefined when there is room. */
  async refusalOf(maker: RowMaker): Promise<'caller' | 'node' | undefined> {
    const limits = this.#parts.limits ?? LIMITS;
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

  async #countOf(scope: keyof RowMaker | 'node', value: string | undefined): Promise<number> {
    if (value === undefined) return 0;
    const { database, clock } = this.#parts;
    const name = `${scope} ${value}`;
    const known = this.#counts.get(name);
    if (known !== undefined && clock.monotonic() < known.until) return known.count;
    const all = database.read.select({ number: count() }).from(strangerRows);
    const [row] = await (scope === 'node' ? all : all.where(eq(strangerRows[scope], value)));
    const counted = { count: Number(row?.number ?? 0), until: clock.monotonic() + COUNTED_MS };
    if (this.#counts.size >= MAX_COUNTS) this.#counts.clear();
    this.#counts.set(name, counted);
    return counted.count;
  }
}
