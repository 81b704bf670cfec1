import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { BOTH_ENGINES, ROUNDS, turns } from '../../platform/database/testing/both-engines.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { browserAt, HERE } from '../sign-in/testing/browsers.ts';
import { People } from './people.ts';
import { OperatorSessions } from './sessions.ts';

// Two processes of a node over one database. Neither hears of the other: the rows decide.

const moments = fc.record({ here: fc.nat(12), there: fc.nat(12) });

describe.each(BOTH_ENGINES)('the people of two replicas over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let here: { people: People; sessions: OperatorSessions };
  let there: typeof here;

  beforeEach(() => {
    opened = open();
    const clock = new ManualClock(Date.UTC(2026, 0, 1));
    const replica = (database: Database) => {
      const sessions = new OperatorSessions({ database, clock, log: createLogger('silent') });
      return { sessions, people: new People({ database, clock, sessions }) };
    };
    here = replica(opened.test.database);
    there = replica(opened.there);
  });
  afterEach(() => opened.dispose());

  async function invite(role: 'owner' | 'cashier') {
    const invited = await here.people.invite({ name: 'Ada', role });
    if (!invited.ok) throw new Error(invited.error);
    return invited.value;
  }

  it('attack: a link is opened at both at the same moment. One browser gets in', async () => {
    const round = async (moment: { here: number; there: number }) => {
      const { id, secret } = await invite('cashier');
      const answers = await Promise.all([
        turns(moment.here).then(() => here.sessions.redeem(secret, browserAt(HERE, 'one'))),
        turns(moment.there).then(() => there.sessions.redeem(secret, browserAt(HERE, 'other'))),
      ]);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      expect((await there.sessions.list()).filter(({ personId }) => personId === id)).toHaveLength(1);
      await here.people.remove(id);
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });

  it('attack: two owners remove each other, one at each. One of them stays', async () => {
    let [stays] = await here.people.list();
    const round = async (moment: { here: number; there: number }) => {
      const { id, secret } = await invite('owner');
      expect(await there.sessions.redeem(secret, browserAt(HERE, 'a browser'))).toMatchObject({ ok: true });
      const answers = await Promise.all([
        turns(moment.here).then(() => here.people.remove(id)),
        turns(moment.there).then(() => there.people.change(stays?.id ?? '', { role: 'accountant' })),
      ]);
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      const owners = (await here.people.list()).filter(({ role }) => role === 'owner');
      expect(owners).toHaveLength(1);
      if (stays !== undefined && stays.id !== owners[0]?.id) await here.people.remove(stays.id);
      [stays] = owners;
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });

  it('attack: a person opens the link at one while the other removes them. Nobody is signed in afterwards', async () => {
    const round = async (moment: { here: number; there: number }) => {
      const { id, secret } = await invite('cashier');
      const [signedIn] = await Promise.all([
        turns(moment.here).then(() => here.sessions.redeem(secret, browserAt(HERE, 'a browser'))),
        turns(moment.there).then(() => there.people.remove(id)),
      ]);
      expect((await here.sessions.list()).filter(({ personId }) => personId === id)).toEqual([]);
      if (signedIn.ok) expect(await here.sessions.find(signedIn.value, HERE)).toBeUndefined();
      expect(await there.sessions.redeem(secret, browserAt(HERE, 'again'))).toMatchObject({ ok: false });
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });
});
