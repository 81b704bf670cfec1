import { asc, eq } from 'drizzle-orm';
import { isRateSourceProblem, type RateSourceProblem } from '../../../src-shared/exchange/source-problems.ts';
import { appendEvent } from '../../journal/events.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { failPoint } from '../../platform/fail-points.ts';
import type { OutboundText } from '../../platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../platform/result.ts';
import { rateSources, type Said } from '../tables.ts';
import { believeAll } from './followed-rates.ts';
import { readSource, type SourcePlace } from './read-source.ts';

/** A source as the database has it. */
export type RateSource = typeof rateSources.$inferSelect;

/** A source as the operator enters it. */
interface NewSource {
  /** The caller makes one id for each source. A repetition with the same id changes nothing. */
  readonly id: string;
  readonly name: string;
  readonly place: SourcePlace;
  readonly everySeconds: number;
  readonly isOn: boolean;
}

/** The most sources. The node asks all of them again and again. */
const MOST_SOURCES = 20;
/** The wait after the first look that brought nothing, in milliseconds. It doubles each time. */
const FIRST_WAIT_MS = 60_000;

/** The wait after the last look before the next one, in milliseconds. */
export function waitAfter({ failures, everySeconds }: Pick<RateSource, 'failures' | 'everySeconds'>): number {
  const usual = everySeconds * 1_000;
  return failures === 0 ? usual : Math.min(usual, FIRST_WAIT_MS * 2 ** Math.min(failures - 1, 20));
}

/** The reason why the last look brought nothing. */
export const problemOf = ({ problem }: Pick<RateSource, 'problem'>): RateSourceProblem | null =>
  isRateSourceProblem(problem) ? problem : null;

/** The place at which the node reads a source. */
export function placeOf({ kind, url, base, quote, path, datePath }: RateSource): SourcePlace {
  if (kind === 'ecb') return { kind, url };
  if (base === null || quote === null || path === null) throw new Error('a source has no place in its document');
  return { kind, url, base, quote, path, datePath };
}

const inOrder = [asc(rateSources.place), asc(rateSources.createdAt), asc(rateSources.id)];

/** Tells whether what a source says now is older than what it said before. A clock that was ahead does not count. */
const isOlder = (said: Said, before: Said | null): boolean => before !== null && said.asOf < Math.min(before.asOf, said.readAt);

interface Parts extends Pick<Core, 'database' | 'clock'> {
  http: OutboundText;
}

/** The sources of rates: the operator's settings, and the rates that they say. */
export class RateSources {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** All sources, the most preferred first. */
  async list(): Promise<RateSource[]> {
    return await this.#parts.database.readAside
      .select()
      .from(rateSources)
      .orderBy(...inOrder);
  }

  /** Asks a place for its rate now. It stores nothing. */
  async test(place: SourcePlace): Promise<Result<Said, RateSourceProblem>> {
    return await readSource(this.#parts, place);
  }

  /** Adds a source as the least preferred one. The rates are read at the next look. */
  async add({ id, name, place, everySeconds, isOn }: NewSource): Promise<Result<RateSource, 'too_many' | 'same_currency'>> {
    if (place.kind === 'json' && place.base === place.quote) return refuse('same_currency');
    const at = this.#parts.clock.now();
    const { base, quote, path, datePath } = place.kind === 'json' ? place : { base: null, quote: null, path: null, datePath: null };
    const fresh = { said: null, lookedAt: null, problem: null, failures: 0, createdAt: at };
    return await this.#parts.database.write(async (tx) => {
      const all = await tx
        .select()
        .from(rateSources)
        .orderBy(...inOrder);
      const existing = all.find((one) => one.id === id);
      if (existing !== undefined) return ok(existing);
      if (all.length >= MOST_SOURCES) return refuse('too_many');
      const last = all.at(-1)?.place ?? 0;
      const row: RateSource = {
        id,
        name,
        kind: place.kind,
        url: place.url,
        base,
        quote,
        path,
        datePath,
        everySeconds,
        isOn,
        place: last + 1,
        ...fresh,
      };
      await tx.insert(rateSources).values(row);
      // The rest of a URL may hold a key of the operator's account there.
      await appendEvent(tx, { type: 'rate_source.added', subject: id, body: { name, origin: URL.parse(place.url)?.origin ?? '' }, at });
      return ok(row);
    });
  }

  /** Switches a source on or off. Its last rates count again at once, unless they are too old. */
  async switch(id: string, isOn: boolean): Promise<Result<RateSource, 'not_found'>> {
    return await this.#change(id, async (tx, row, at) => {
      if (row.isOn === isOn) return row;
      await tx.update(rateSources).set({ isOn }).where(eq(rateSources.id, id));
      await appendEvent(tx, { type: 'rate_source.changed', subject: id, body: { name: row.name, isOn: String(isOn) }, at });
      return { ...row, isOn };
    });
  }

  /** Makes a source the most preferred one. */
  async prefer(id: string): Promise<Result<RateSource, 'not_found'>> {
    return await this.#change(id, async (tx, row, at) => {
      const [first] = await tx
        .select({ id: rateSources.id, place: rateSources.place })
        .from(rateSources)
        .orderBy(...inOrder)
        .limit(1);
      if (first === undefined || first.id === id) return row;
      const place = first.place - 1;
      await tx.update(rateSources).set({ place }).where(eq(rateSources.id, id));
      await appendEvent(tx, { type: 'rate_source.changed', subject: id, body: { name: row.name, preferred: 'true' }, at });
      return { ...row, place };
    });
  }

  /** Removes a source. Rates that the node believed because of it stay until they are too old. */
  async remove(id: string): Promise<Result<RateSource, 'not_found'>> {
    return await this.#change(id, async (tx, row, at) => {
      await tx.delete(rateSources).where(eq(rateSources.id, id));
      await appendEvent(tx, { type: 'rate_source.removed', subject: id, body: { name: row.name }, at });
      return row;
    });
  }

  /** Asks a source that is switched on, and stores what it says. */
  async look(id: string): Promise<Result<RateSource, 'not_found'>> {
    const [row] = await this.#parts.database.read.select().from(rateSources).where(eq(rateSources.id, id));
    if (row === undefined) return refuse('not_found');
    const said = await readSource(this.#parts, placeOf(row));
    failPoint('rate-step');
    const stored = await this.#change(id, (tx, now, at) => this.#store(tx, now, said, at));
    failPoint('rate-step');
    return stored;
  }

  async #store(tx: Tx, row: RateSource, said: Result<Said, RateSourceProblem>, at: number): Promise<RateSource> {
    const heard = said.ok && isOlder(said.value, row.said) ? refuse('older') : said;
    const changed = heard.ok
      ? { said: heard.value, lookedAt: at, problem: null, failures: 0 }
      : { lookedAt: at, problem: heard.error, failures: row.failures + 1 };
    await tx
      .update(rateSources)
      .set({ ...changed })
      .where(eq(rateSources.id, row.id));
    const { name } = row;
    await appendEvent(tx, {
      type: 'rate_source.looked',
      subject: row.id,
      body: heard.ok ? { name, asOf: new Date(heard.value.asOf).toISOString() } : { name, problem: heard.error },
      at,
    });
    return { ...row, ...changed };
  }

  /**
   * Changes a source and, in the same write, all that follows from it: which rates are believed now. So a process that
   * is killed leaves both or nothing.
   */
  async #change(
    id: string,
    change: (tx: Tx, row: RateSource, at: number) => Promise<RateSource>,
  ): Promise<Result<RateSource, 'not_found'>> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const [row] = await tx.select().from(rateSources).where(eq(rateSources.id, id));
      if (row === undefined) return refuse('not_found');
      const changed = await change(tx, row, at);
      failPoint('rate-step');
      await believeAll(tx, at);
      failPoint('rate-step');
      return ok(changed);
    });
  }
}
