import type { Database, Reader } from '../database/database.ts';
import { DAY_MS } from './rule.ts';
import { retentionClock } from './tables.ts';

// A clock that is set far ahead makes everything look old. Nothing is removed by such a clock before the operator has
// had a day to see it (decisions.md#D-70).

/** The largest step of the clock that is believed at once, in milliseconds. Most nodes are looked at once a week. */
const MOST_STEP_MS = 7 * DAY_MS;
/** How long nothing is removed after a larger step, in milliseconds. */
const HOLD_MS = DAY_MS;
/** A clock that was held and is then found later than this has jumped again. */
const MOST_HELD_MS = 90 * DAY_MS;
/** How often the trusted moment is stored again, in milliseconds. */
const STORE_EVERY_MS = 60 * 60_000;

/** What is known about the clock. Times are in milliseconds since the Unix epoch. */
export interface SeenClock {
  /** The latest moment that is trusted. */
  provenAt: number;
  /** The time at which a jump was first seen, by the clock that has jumped; null while the clock is trusted. */
  heldSince: number | null;
}

/** What is known about the clock after it was read once more. */
export function seenAt({ provenAt, heldSince }: SeenClock, now: number): SeenClock {
  if (now - provenAt <= MOST_STEP_MS) return { provenAt: Math.max(provenAt, now), heldSince: null };
  const heldFor = heldSince === null ? -1 : now - heldSince;
  if (heldFor < 0 || heldFor > MOST_HELD_MS) return { provenAt, heldSince: now };
  return heldFor < HOLD_MS ? { provenAt, heldSince } : { provenAt: now, heldSince: null };
}

/** The latest moment that is trusted while the clock is not, and when the clock will be. */
interface HeldClock {
  provenAt: number;
  until: number;
}

const ID = 'clock';

async function readClock(reader: Reader): Promise<SeenClock | undefined> {
  const [row] = await reader.select().from(retentionClock);
  return row;
}

/** @returns what is known about a clock that is not trusted. It is undefined while the clock is. */
export async function heldClock(reader: Reader): Promise<HeldClock | undefined> {
  const seen = await readClock(reader);
  return seen === undefined || seen.heldSince === null ? undefined : { provenAt: seen.provenAt, until: seen.heldSince + HOLD_MS };
}

/**
 * Notes what the clock says. Processes on one database share what they know.
 * @param now milliseconds since the Unix epoch.
 * @param lastKnown a moment that has been, for a database in which nothing was noted before.
 * @returns what is known about a clock that is not trusted. It is undefined while the clock is.
 */
export async function noteClock(database: Database, now: number, lastKnown: number = now): Promise<HeldClock | undefined> {
  const before = await readClock(database.read);
  const next = seenAt(before ?? { provenAt: lastKnown, heldSince: null }, now);
  const isNews = before === undefined || next.heldSince !== before.heldSince || next.provenAt - before.provenAt >= STORE_EVERY_MS;
  if (isNews) {
    await database.write(async (tx) => {
      const noted = seenAt((await readClock(tx)) ?? { provenAt: lastKnown, heldSince: null }, now);
      await tx
        .insert(retentionClock)
        .values({ id: ID, ...noted })
        .onConflictDoUpdate({ target: retentionClock.id, set: noted });
    });
  }
  return await heldClock(database.read);
}
