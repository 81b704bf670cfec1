import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import { grants } from '../tables.ts';
import { openTestAccess, type TestAccess } from '../testing/access.ts';
import { issued } from '../testing/flows.ts';
import { GrantUses } from './grant-uses.ts';

const clock = new ManualClock(Date.UTC(2026, 0, 15));
let access: TestAccess;
beforeEach(() => {
  access = openTestAccess({ clock });
});
afterEach(() => access.dispose());

const open = () => new GrantUses({ database: access.database, clock, onError: (error) => expect(error).toBeUndefined() });
const stored = async (id: string) => {
  const [row] = await access.database.read.select({ id: grants.id, lastUsedAt: grants.lastUsedAt }).from(grants).where(eq(grants.id, id));
  if (row === undefined) throw new Error('no grant');
  return row;
};

describe('the last use of a grant', () => {
  it('is known at once, and is stored by the time the node has stopped', async () => {
    const { grant } = await issued(access);
    const uses = open();
    expect(uses.lastOf(await stored(grant.id))).toBeNull();
    uses.note(grant.id);
    clock.advance(1_000);
    uses.note(grant.id);
    expect(uses.lastOf(await stored(grant.id))).toBe(clock.now());
    expect((await stored(grant.id)).lastUsedAt).toBeNull();
    await uses.stop();
    expect((await stored(grant.id)).lastUsedAt).toBe(clock.now());
  });

  it('never goes back', async () => {
    const { grant } = await issued(access);
    await access.database.write((tx) =>
      tx
        .update(grants)
        .set({ lastUsedAt: clock.now() + 5_000 })
        .where(eq(grants.id, grant.id)),
    );
    const uses = open();
    uses.note(grant.id);
    expect(uses.lastOf(await stored(grant.id))).toBe(clock.now() + 5_000);
    await uses.stop();
    expect((await stored(grant.id)).lastUsedAt).toBe(clock.now() + 5_000);
  });

  it('stays in memory when it cannot be stored', async () => {
    const { grant } = await issued(access);
    const failures: unknown[] = [];
    const full = { write: () => Promise.reject(new Error('the disk is full')) };
    const uses = new GrantUses({ database: full, clock, onError: (error) => failures.push(error) });
    uses.note(grant.id);
    await uses.stop();
    expect(failures).toHaveLength(1);
    expect(uses.lastOf(await stored(grant.id))).toBe(clock.now());
  });
});
