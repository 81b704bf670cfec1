import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { activities } from '../../journal/tables.ts';
import { BOTH_ENGINES, ROUNDS, turns } from '../../platform/database/testing/both-engines.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import { endIn, KNOWN_MS, newBrowser, notePerson, storeBrowser } from '../people/known-browsers.ts';
import type { Browser } from '../people/sessions.ts';
import { pins, pinTries } from '../tables.ts';
import { pauseWays } from './after-copy.ts';
import { SET_WITHIN_MS } from './pins.ts';
import { browserAt, HERE } from './testing/browsers.ts';
import { openSignIns, type SignIns, TEST_SEAL } from './testing/sign-ins.ts';

const PIN = '402917';
const WRONG = '836104';
const DAY_MS = 24 * 3_600_000;

describe.each(BOTH_ENGINES)('PINs over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let here: SignIns;
  let there: SignIns;
  let tablet: Browser;
  let ada: { personId: string; sessionId: string };
  beforeEach(async () => {
    opened = open();
    here = openSignIns(opened.test.database);
    there = openSignIns(opened.there, here.clock);
    tablet = newOne();
    ada = await signInByLink(await invite('Ada'), tablet);
    expect(await here.pins.set(ada.personId, ada.sessionId, PIN)).toEqual({ ok: true, value: true });
  });
  afterEach(() => opened.dispose());

  const newOne = (): Browser => ({ ...browserAt(HERE), known: newBrowser(HERE, 'a browser', here.clock.now()).row });

  async function invite(name: string, role: 'owner' | 'cashier' = 'cashier') {
    const invited = await here.people.invite({ name, role });
    if (!invited.ok) throw new Error(invited.error);
    return invited.value;
  }

  async function signInByLink({ id, secret }: { id: string; secret: string }, browser: Browser) {
    const signedIn = await here.sessions.redeem(secret, browser);
    if (!signedIn.ok) throw new Error(signedIn.error);
    return { personId: id, sessionId: (await here.sessions.find(signedIn.value, browser.site))?.id ?? '', secrets: signedIn.value };
  }

  /** Signs a person in once more without their PIN. */
  async function again(browser = tablet, personId = ada.personId) {
    const made = await here.people.makeLink(personId);
    if (!made.ok) throw new Error(made.error);
    return await signInByLink(made.value, browser);
  }

  const tryPin = (pin: string, at = here, browser = tablet, personId = ada.personId) => at.pins.signIn({ personId, pin }, browser);
  const wrong = (triesLeft: number) => ({ ok: false, error: { kind: 'wrong_pin', triesLeft } });
  const OFF = { ok: false, error: { kind: 'pin_off' } };
  const inTheBooks = async () => (await opened.test.database.read.select().from(activities)).map(({ operation }) => operation);

  it('a PIN signs in where its person has signed in before, and whoever was there is signed out', async () => {
    const bob = await signInByLink(await invite('Bob'), tablet);
    expect((await here.sessions.list()).map(({ personId }) => personId)).toEqual([bob.personId]);
    const answer = await tryPin(PIN, there);
    const session = answer.ok ? await here.sessions.find(answer.value, HERE) : undefined;
    expect(session).toMatchObject({ person: { id: ada.personId }, byPin: true });
    // The cookie of the person before is worth nothing after the takeover.
    expect(await here.sessions.find(bob.secrets, HERE)).toBeUndefined();
    expect((await here.sessions.list()).map(({ personId }) => personId)).toEqual([ada.personId]);
    expect((await here.knownBrowsers.peopleIn(tablet.known?.id ?? '')).map(({ name }) => name).sort()).toEqual(['Ada', 'Bob']);
  });

  it('attack: a PIN in a browser where its person never was, and in one that the node does not know', async () => {
    const other = newOne();
    await signInByLink(await invite('Bob'), other);
    for (const browser of [other, newOne(), browserAt(HERE)]) expect(await tryPin(PIN, here, browser)).toEqual(OFF);
    // None of these counted as a try.
    expect(await opened.test.database.read.select().from(pinTries)).toEqual([]);
  });

  it('attack: 1,000 PINs over restarts. Five are looked at', async () => {
    let looked = 0;
    let node = here;
    for (let round = 0; round < 1_000; round += 1) {
      if (round % 3 === 0) node = openSignIns(round % 2 === 0 ? opened.there : opened.test.database, here.clock);
      const answer = await tryPin(String(100_000 + round), node);
      if (!answer.ok && answer.error.kind === 'wrong_pin') looked += 1;
      if (round % 100 === 99) here.clock.advance(DAY_MS / 5);
    }
    // The answer to the fifth says that the PIN is off now.
    expect(looked).toBe(4);
    expect(await tryPin(PIN)).toEqual(OFF);
    expect((await inTheBooks()).filter((operation) => operation === 'session.pinOff')).toHaveLength(1);
    expect(await here.knownBrowsers.of(ada.personId)).toMatchObject([{ isPinOff: true }]);
    await again();
    expect(await here.knownBrowsers.of(ada.personId)).toMatchObject([{ isPinOff: false }]);
    expect(await tryPin(PIN)).toMatchObject({ ok: true });
  });

  it('attack: ten wrong PINs in a day over three browsers turn it off in all of them, also where right ones came between', async () => {
    const [desk, phone] = [newOne(), newOne()];
    await again(desk);
    await opened.test.database.write(async (tx) => {
      if (phone.known !== undefined) await storeBrowser(tx, phone.known, here.clock.now());
      await notePerson(tx, phone.known?.id ?? null, ada.personId, here.clock.now());
    });
    const answers = [];
    for (const browser of [tablet, desk, phone]) {
      for (const pin of [WRONG, WRONG, WRONG, PIN, WRONG]) answers.push(await tryPin(pin, here, browser));
    }
    expect(answers.map((answer) => (answer.ok ? 'in' : answer.error.kind))).toEqual([
      ...['wrong_pin', 'wrong_pin', 'wrong_pin', 'in', 'wrong_pin'],
      ...['wrong_pin', 'wrong_pin', 'wrong_pin', 'in', 'wrong_pin'],
      ...['wrong_pin', 'pin_off', 'pin_off', 'pin_off', 'pin_off'],
    ]);
    here.clock.advance(2 * DAY_MS);
    for (const browser of [tablet, desk, phone]) expect(await tryPin(PIN, there, browser)).toEqual(OFF);
    await again(desk);
    expect(await tryPin(PIN, here, tablet)).toMatchObject({ ok: true });
  });

  it('few wrong PINs are forgotten after a day, as far as the day counts', async () => {
    for (let day = 0; day < 4; day += 1) {
      for (const left of [4, 3, 2]) expect(await tryPin(WRONG)).toEqual(wrong(left));
      expect(await tryPin(PIN)).toMatchObject({ ok: true });
      here.clock.advance(DAY_MS);
    }
  });

  it('wrong PINs that were counted by a clock that was ahead are forgotten when it is put right', async () => {
    here.clock.jump(40 * DAY_MS);
    const [desk, third] = [newOne(), newOne()];
    for (const browser of [desk, third]) await again(browser);
    for (const browser of [tablet, desk]) for (const left of [4, 3, 2, 1]) expect(await tryPin(WRONG, here, browser)).toEqual(wrong(left));
    here.clock.jump(-40 * DAY_MS);
    for (const left of [4, 3, 2, 1]) expect(await tryPin(WRONG, here, third)).toEqual(wrong(left));
  });

  it('attack: the process ends between counting and comparing. No try is free', async () => {
    // With another seal nothing is ever found right: such a process is as one that ends before it compares.
    const broken = openSignIns(opened.test.database, here.clock, new Seal(Buffer.alloc(32, 9)));
    for (const left of [4, 3, 2, 1]) expect(await tryPin(PIN, broken)).toEqual(wrong(left));
    expect(await tryPin(PIN, broken)).toEqual(OFF);
    expect(await tryPin(PIN)).toEqual(OFF);
  });

  it('attack: tries at two replicas at the same moment. No more than five are looked at', async () => {
    const moments = fc.array(fc.record({ isThere: fc.boolean(), turns: fc.nat(12) }), { minLength: 8, maxLength: 8 });
    const round = async (tries: { isThere: boolean; turns: number }[]) => {
      await again();
      const answers = await Promise.all(tries.map((one) => turns(one.turns).then(() => tryPin(WRONG, one.isThere ? there : here))));
      const lefts = answers.flatMap((answer) => (!answer.ok && answer.error.kind === 'wrong_pin' ? [answer.error.triesLeft] : []));
      expect(lefts.sort()).toEqual([1, 2, 3, 4]);
      expect(await tryPin(PIN)).toEqual(OFF);
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });

  it('nobody learns from the answers who has a PIN', async () => {
    const bob = await signInByLink(await invite('Bob'), tablet);
    const answersFor = async (personId: string) => {
      const answers = [];
      for (let n = 0; n < 6; n += 1) answers.push(await tryPin(WRONG, here, tablet, personId));
      return answers;
    };
    expect(await answersFor(bob.personId)).toEqual(await answersFor(ada.personId));
  });

  it('attack: the PIN of a person who was removed, or who got another role', async () => {
    await here.people.change(ada.personId, { role: 'accountant' });
    expect(await tryPin(PIN)).toEqual(OFF);
    const session = await again();
    expect(await tryPin(PIN)).toMatchObject({ ok: true });
    expect(session.personId).toBe(ada.personId);
    await here.people.remove(ada.personId);
    expect(await tryPin(PIN, there)).toEqual(OFF);
    expect(await opened.test.database.read.select().from(pins)).toEqual([]);
  });

  it('attack: the browser is ended, or the person removed, while the takeover is under way. Nobody is signed in', async () => {
    const moments = fc.record({ here: fc.nat(12), there: fc.nat(12), ends: fc.constantFrom('browser', 'pin', 'role') });
    let role: 'cashier' | 'accountant' = 'cashier';
    const round = async (moment: { here: number; there: number; ends: string }) => {
      const { sessionId } = await again();
      await here.pins.set(ada.personId, sessionId, PIN);
      await here.sessions.end([sessionId]);
      const end = async (): Promise<unknown> => {
        if (moment.ends === 'pin') return await there.people.removePin(ada.personId);
        if (moment.ends === 'role') {
          role = role === 'cashier' ? 'accountant' : 'cashier';
          return await there.people.change(ada.personId, { role });
        }
        return await endIn({ database: opened.there, clock: here.clock }, { browserId: tablet.known?.id ?? '', personId: ada.personId });
      };
      const [answer] = await Promise.all([turns(moment.here).then(() => tryPin(PIN)), turns(moment.there).then(end)]);
      // Who got in before it ended was signed out by it. A PIN that is removed signs nobody out.
      if (moment.ends !== 'pin' && answer.ok) expect(await here.sessions.find(answer.value, HERE)).toBeUndefined();
      expect(await tryPin(PIN)).toMatchObject({ ok: false });
    };
    await fc.assert(fc.asyncProperty(moments, round), { numRuns: ROUNDS });
  });

  it('a PIN is set within a quarter of an hour after a sign-in without one, and never by one', async () => {
    here.clock.advance(SET_WITHIN_MS);
    expect(await here.pins.mayBeSetUntil(ada.sessionId)).toBeUndefined();
    expect(await here.pins.set(ada.personId, ada.sessionId, WRONG)).toEqual({ ok: false, error: 'sign_in_again' });
    const byPin = await tryPin(PIN);
    const session = byPin.ok ? await here.sessions.find(byPin.value, HERE) : undefined;
    expect(await here.pins.set(ada.personId, session?.id ?? '', WRONG)).toEqual({ ok: false, error: 'sign_in_again' });
    const { sessionId } = await again();
    expect(await here.pins.mayBeSetUntil(sessionId)).toBe(here.clock.now() + SET_WITHIN_MS);
    expect(await here.pins.set(ada.personId, sessionId, '123456')).toEqual({ ok: false, error: 'run' });
    expect(await here.pins.set(ada.personId, sessionId, WRONG)).toMatchObject({ ok: true });
    expect(await tryPin(PIN)).toEqual(wrong(4));
    expect(await tryPin(WRONG)).toMatchObject({ ok: true });
  });

  it('a browser that nobody has used for ninety days is forgotten', async () => {
    const known = { cookie: 'x', page: 'y' };
    expect(await here.knownBrowsers.find(known, HERE)).toBeUndefined();
    here.clock.advance(KNOWN_MS);
    expect(await here.knownBrowsers.of(ada.personId)).toEqual([]);
    await again(newOne());
    expect(await tryPin(PIN)).toEqual(OFF);
  });

  it('a browser signed out from elsewhere forgets the person; one that a person hands over does not', async () => {
    const session = await here.sessions.find((await again()).secrets, HERE);
    if (session !== undefined) await here.sessions.signOut(session);
    expect(await tryPin(PIN)).toMatchObject({ ok: true });
    await here.sessions.end(
      (await here.sessions.list()).map(({ id }) => id),
      true,
    );
    expect(await tryPin(PIN)).toEqual(OFF);
  });

  it('whoever works alone is not asked for, and the rows do not tell the PIN', async () => {
    expect(await here.knownBrowsers.peopleIn(tablet.known?.id ?? '')).toHaveLength(1);
    await here.people.remove(ada.personId);
    expect(await here.knownBrowsers.peopleIn(tablet.known?.id ?? '')).toEqual([]);
  });

  it('attack: books that were restored. No PIN and no known browser comes back', async () => {
    const to = new Seal(Buffer.alloc(32, 9));
    await opened.test.database.write((tx) => pauseWays(tx, { from: TEST_SEAL, to }, here.clock.now()));
    expect(await opened.test.database.read.select().from(pins)).toEqual([]);
    expect(await tryPin(PIN, openSignIns(opened.there, here.clock, to))).toEqual(OFF);
  });
});
