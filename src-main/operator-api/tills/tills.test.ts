import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { BOTH_ENGINES, ROUNDS, turns } from '../../platform/database/testing/both-engines.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { endWaysIn } from '../after-copy.ts';
import { TEST_SEAL } from '../sign-in/testing/sign-ins.ts';
import { MOST_TILLS, PAIRING_MS, type Pairing, Tills } from './tills.ts';

// Two processes of a node over one database. Neither hears of the other: the rows decide.

const moments = fc.record({ here: fc.nat(12), there: fc.nat(12) });
const DAY_MS = 86_400_000;

describe.each(BOTH_ENGINES)('the tills of two replicas over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let clock: ManualClock;
  let here: Tills;
  let there: Tills;
  let nth = 0;

  beforeEach(() => {
    opened = open();
    clock = new ManualClock(Date.UTC(2026, 0, 1));
    const replica = (database: Database) => new Tills({ database, clock, log: createLogger('silent') });
    here = replica(opened.test.database);
    there = replica(opened.there);
  });
  afterEach(() => opened.dispose());

  async function add(name = `till ${nth++}`): Promise<Pairing> {
    const added = await here.add({ name, accountId: null }, 'Ada');
    if (!added.ok) throw new Error(added.error);
    return added.value;
  }
  async function paired() {
    const { till, secret } = await add();
    const device = await there.pair(secret, 'a tablet');
    if (!device.ok) throw new Error(device.error);
    return { id: till.id, secrets: device.value, secret };
  }

  it('a link pairs one device, and the device may sell at both replicas', async () => {
    const { id, secrets, secret } = await paired();
    for (const replica of [here, there]) expect(await replica.find(secrets)).toMatchObject({ ok: true, value: { id } });
    expect(await here.pair(secret, 'another')).toEqual({ ok: false, error: 'wrong_secret' });
    expect((await here.list())[0]).toMatchObject({ userAgent: 'a tablet', pairingHash: null });
  });

  it('attack: the link is opened by two devices at the same moment, one at each. One of them is paired', async () => {
    const round = async (moment: { here: number; there: number }) => {
      const { till, secret } = await add();
      const answers = await Promise.all([
        turns(moment.here).then(() => here.pair(secret, 'one')),
        turns(moment.there).then(() => there.pair(secret, 'other')),
      ]);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      await here.remove(till.id);
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });

  it('attack: the till is removed at one while a device opens the link at the other. No device may sell', async () => {
    const round = async (moment: { here: number; there: number }) => {
      const { till, secret } = await add();
      const [device] = await Promise.all([
        turns(moment.here).then(() => there.pair(secret, 'one')),
        turns(moment.there).then(() => here.remove(till.id)),
      ]);
      if (device.ok) expect(await there.find(device.value)).toEqual({ ok: false, error: 'TILL_REMOVED' });
      expect(await there.pair(secret, 'again')).toMatchObject({ ok: false });
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });

  it('a link ends after ten minutes, and says so', async () => {
    const { secret } = await add();
    clock.advance(PAIRING_MS);
    expect(await here.pair(secret, 'late')).toEqual({ ok: false, error: 'link_ended' });
  });

  it('attack: one secret without the other, those of two devices mixed, and made-up ones', async () => {
    const [{ secrets: one }, { secrets: other }] = [await paired(), await paired()];
    const tried = [
      { cookie: one.cookie, page: other.page },
      { cookie: one.page, page: one.cookie },
      { cookie: one.cookie, page: '' },
      { cookie: '', page: one.page },
      { cookie: 'x'.repeat(43), page: 'y'.repeat(43) },
    ];
    for (const secrets of tried) expect(await here.find(secrets)).toEqual({ ok: false, error: 'TILL_NOT_PAIRED' });
  });

  it('a till that is paused, removed or paired anew at one replica is refused at the next call to the other', async () => {
    const { id, secrets } = await paired();
    const found = await there.find(secrets);
    const refusal = () => (found.ok ? found.value.refusalIn(opened.there.read) : undefined);
    await here.pause(id);
    expect(await there.find(secrets)).toEqual({ ok: false, error: 'TILL_PAUSED' });
    expect(await refusal()).toBe('TILL_PAUSED');
    await here.goOn(id);
    expect(await there.find(secrets)).toMatchObject({ ok: true });
    expect(await refusal()).toBeUndefined();
    const again = await here.pairAnew(id);
    expect(await there.find(secrets)).toEqual({ ok: false, error: 'TILL_NOT_PAIRED' });
    expect(await refusal()).toBe('TILL_NOT_PAIRED');
    const next = await there.pair(again?.secret ?? '', 'new');
    await here.remove(id);
    expect(next.ok && (await there.find(next.value))).toEqual({ ok: false, error: 'TILL_REMOVED' });
    expect(await here.goOn(id)).toBeUndefined();
    expect(await here.pairAnew(id)).toBeUndefined();
    expect(await here.list()).toEqual([]);
  });

  it('a device that nobody has used for 90 days must be paired anew', async () => {
    const { secrets } = await paired();
    clock.advance(89 * DAY_MS);
    expect(await here.find(secrets)).toMatchObject({ ok: true });
    clock.advance(90 * DAY_MS);
    expect(await here.find(secrets)).toEqual({ ok: false, error: 'TILL_NOT_PAIRED' });
  });

  it('no two tills have the same name, whatever its capitals, and a removed one gives its name away', async () => {
    const { till } = await add('Window');
    expect(await there.add({ name: 'WINDOW', accountId: null }, '')).toEqual({ ok: false, error: 'name_taken' });
    const other = await add('Terrace');
    expect(await there.change(other.till.id, { name: 'window', accountId: null })).toEqual({ ok: false, error: 'name_taken' });
    expect(await there.change(till.id, { name: 'window', accountId: null })).toMatchObject({ ok: true });
    await here.remove(till.id);
    expect(await there.add({ name: 'Window', accountId: null }, '')).toMatchObject({ ok: true });
  });

  it('there are at most 50, and removed ones are forgotten after a month', async () => {
    for (let count = 0; count < MOST_TILLS; count += 1) await add();
    expect(await here.add({ name: 'one more', accountId: null }, '')).toEqual({ ok: false, error: 'too_many' });
    const [first] = await here.list();
    await here.remove(first?.id ?? '');
    clock.advance(31 * DAY_MS);
    await add('next');
    expect(await opened.test.look(`select count(*) as n from tills where id = '${first?.id}'`)).toMatchObject([{ n: 0n }]);
  });

  it('attack: the secrets and the link of a backup. After a restore every till is paired anew', async () => {
    const { secrets } = await paired();
    const { secret } = await add('waits');
    await opened.test.database.write((tx) => endWaysIn(tx, { from: TEST_SEAL, to: TEST_SEAL }, clock.now()));
    expect(await here.find(secrets)).toEqual({ ok: false, error: 'TILL_NOT_PAIRED' });
    expect(await there.pair(secret, 'old')).toEqual({ ok: false, error: 'wrong_secret' });
    expect(await here.list()).toHaveLength(2);
  });

  it('only hashes of the secrets are stored', async () => {
    const { secrets, secret } = await paired();
    const rows = JSON.stringify(await opened.test.look('select * from tills'), (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    for (const one of [secrets.cookie, secrets.page, secret]) expect(rows).not.toContain(one);
  });
});
