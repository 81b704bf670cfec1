import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOTH_ENGINES } from '../../platform/database/testing/both-engines.ts';
import type { PersonAtPage } from './passkeys.ts';
import { browserAt, ELSEWHERE, HERE } from './testing/browsers.ts';
import { newPerson, openSignIns, type SignIns } from './testing/sign-ins.ts';
import { codeOf, stepAt } from './totp.ts';

const PASSWORD = 'correct horse battery';
const STEP_MS = 30_000;
const DAY_MS = 24 * 3_600_000;

describe.each(BOTH_ENGINES)('passwords over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let here: SignIns;
  let there: SignIns;
  let ada: PersonAtPage;
  let secret: string;
  let codes: string[];
  beforeEach(async () => {
    opened = open();
    here = openSignIns(opened.test.database);
    there = openSignIns(opened.there, here.clock);
    ada = await newPerson(here);
    ({ secret, codes } = await setPassword(ada, 'Ada'));
    here.clock.advance(STEP_MS);
  });
  afterEach(() => opened.dispose());

  const code = (away = 0) => codeOf(secret, stepAt(here.clock.now()) + away);
  const browser = (address = '203.0.113.7') => ({ ...browserAt(HERE), address });
  const tryWith = (typed: { signInName?: string; password?: string; code: string }, at = here, address?: string) =>
    at.passwords.signIn({ signInName: 'ada', password: PASSWORD, ...typed }, browser(address));

  async function setPassword(person: PersonAtPage, signInName: string) {
    const begun = await here.passwords.begin(person);
    const shown = codeOf(begun.secret, stepAt(here.clock.now()));
    const set = await here.passwords.set(person, { setUp: begun.setUp, signInName, password: PASSWORD, code: shown });
    if (!set.ok) throw new Error(set.error);
    return { secret: begun.secret, codes: set.value };
  }

  it('sign in with the code that the app shows, and however the name is spelled', async () => {
    expect(await tryWith({ signInName: ' ADA ', code: code() })).toMatchObject({ ok: true });
  });

  it('attack: downgrade to the password alone, and to the code alone', async () => {
    for (const typed of ['', '000000', '      ', 'AAAA-AAAA-AAAA-AAAA']) {
      here.clock.advance(3_600_000);
      expect(await tryWith({ code: typed })).toMatchObject({ ok: false, error: { kind: 'wrong' } });
    }
    here.clock.advance(3_600_000);
    expect(await tryWith({ password: '', code: code() })).toMatchObject({ ok: false, error: { kind: 'wrong' } });
    const [unused = ''] = codes;
    here.clock.advance(3_600_000);
    expect(await tryWith({ password: '', code: unused })).toMatchObject({ ok: false, error: { kind: 'wrong' } });
  });

  it('attack: a code is used twice, at two processes at once, or an older one after a newer one', async () => {
    const [now, before] = [code(), code(-1)];
    const both = await Promise.all([tryWith({ code: now }), tryWith({ code: now }, there)]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await tryWith({ code: now })).toMatchObject({ ok: false });
    expect(await tryWith({ code: before })).toMatchObject({ ok: false });
    here.clock.advance(STEP_MS);
    expect(await tryWith({ code: code() })).toMatchObject({ ok: true });
  });

  it('each recovery code replaces the app once, and new ones end the old', async () => {
    expect(new Set(codes).size).toBe(10);
    const [first = '', second = ''] = codes;
    expect(await tryWith({ code: first.toLowerCase().replaceAll('-', ' ') })).toMatchObject({ ok: true });
    expect(await tryWith({ code: first }, there)).toMatchObject({ ok: false });
    await here.passwords.renewRecoveryCodes(ada.personId);
    expect(await tryWith({ code: second })).toMatchObject({ ok: false });
  });

  it('attack: 1,000 wrong tries over restarts. Few are looked at', async () => {
    const began = here.clock.now();
    let looked = 0;
    let node = here;
    for (let round = 0; round < 1_000; round += 1) {
      if (round % 10 === 0) node = openSignIns(round % 20 === 0 ? opened.there : opened.test.database, here.clock);
      const answer = await tryWith({ code: '000000' }, node, `203.0.113.${round % 250}`);
      if (!answer.ok && answer.error.kind === 'wrong') looked += 1;
      here.clock.advance(1_000);
    }
    expect(here.clock.now() - began).toBe(1_000_000);
    // In about 17 minutes: three at once, and then 5, 10, 20, … seconds apart.
    expect(looked).toBeLessThan(14);
    expect(looked).toBeGreaterThan(5);
    // The person is not shut out for ever.
    here.clock.advance(DAY_MS);
    expect(await tryWith({ code: code() })).toMatchObject({ ok: true });
  });

  it('wrong tries keep nobody waiting for longer when the clock was ahead and is put right', async () => {
    here.clock.jump(DAY_MS / 12);
    for (let round = 0; round < 6; round += 1) await tryWith({ code: '000000' });
    here.clock.jump(-DAY_MS / 12);
    expect(await tryWith({ code: code() })).toMatchObject({ ok: false, error: { kind: 'too_many_attempts', secondsLeft: 5 } });
    here.clock.advance(STEP_MS);
    expect(await tryWith({ code: code() })).toMatchObject({ ok: true });
  });

  it('a code that was used while the clock was ahead never counts again, and its person is told why others do not', async () => {
    const setBack = { ok: false, error: { kind: 'clock_set_back' } };
    here.clock.jump(DAY_MS);
    const [used, ahead] = [code(), here.clock.now()];
    expect(await tryWith({ code: used })).toMatchObject({ ok: true });
    here.clock.jump(-DAY_MS);
    expect(await tryWith({ code: code() })).toEqual(setBack);
    expect(await tryWith({ code: code() }, there)).toEqual(setBack);
    // Whoever has not shown both hears nothing of it.
    for (const wrong of [{ code: '000000' }, { code: code(), password: 'wrong' }]) {
      here.clock.advance(3_600_000);
      expect(await tryWith(wrong)).toEqual({ ok: false, error: { kind: 'wrong' } });
    }
    here.clock.advance(3_600_000);
    expect(await tryWith({ code: code() })).toEqual(setBack);
    const [recovery = ''] = codes;
    here.clock.advance(3_600_000);
    expect(await tryWith({ code: recovery })).toMatchObject({ ok: true });
    expect(await tryWith({ code: code() })).toEqual(setBack);

    // Attack: somebody kept the code until its time has come.
    here.clock.advance(ahead - here.clock.now());
    expect(code()).toBe(used);
    expect(await tryWith({ code: used })).toEqual({ ok: false, error: { kind: 'wrong' } });
    here.clock.advance(STEP_MS);
    expect(await tryWith({ code: code() })).toMatchObject({ ok: true });
  });

  it('after the clock was ahead, a password that is set anew counts at once', async () => {
    here.clock.jump(365 * DAY_MS);
    expect(await tryWith({ code: code() })).toMatchObject({ ok: true });
    here.clock.jump(-365 * DAY_MS);
    ({ secret } = await setPassword(ada, 'ada'));
    here.clock.advance(STEP_MS);
    expect(await tryWith({ code: code() })).toMatchObject({ ok: true });
  });

  it('attack: an address tries one name after the other, and signs in by itself in between', async () => {
    const eve = await newPerson(here, 'Eve');
    const own = await setPassword(eve, 'Eve');
    let looked = 0;
    for (let round = 0; round < 200; round += 1) {
      const answer = await tryWith({ signInName: `name ${round}`, code: '000000' });
      if (!answer.ok && answer.error.kind === 'wrong') looked += 1;
      if (round % 10 === 5) {
        here.clock.advance(STEP_MS);
        await tryWith({ signInName: 'eve', code: codeOf(own.secret, stepAt(here.clock.now())) });
      }
    }
    expect(looked).toBeLessThan(40);
    expect(await tryWith({ code: code() }, here, '198.51.100.1')).toMatchObject({ ok: true });
  });

  it('an unknown name is told as a wrong password is, and waits as long', async () => {
    const tries = async (signInName: string, address: string) => {
      const told = [];
      for (let round = 0; round < 6; round += 1) told.push(await tryWith({ signInName, password: 'wrong', code: '1' }, here, address));
      return told;
    };
    expect(await tries('nobody', '198.51.100.1')).toEqual(await tries('ada', '198.51.100.2'));
  });

  it('nobody takes the name of another person, or sets a password with what another page has begun', async () => {
    const bob = await newPerson(here, 'Bob');
    const begun = await here.passwords.begin(bob);
    const typed = { setUp: begun.setUp, password: PASSWORD, code: codeOf(begun.secret, stepAt(here.clock.now())) };
    expect(await here.passwords.set(bob, { ...typed, signInName: 'ADA' })).toEqual({ ok: false, error: 'name_taken' });
    expect(await here.passwords.set(ada, { ...typed, signInName: 'ada' })).toEqual({ ok: false, error: 'begin_again' });
    expect(await here.passwords.set({ ...bob, site: ELSEWHERE }, { ...typed, signInName: 'bob' })).toEqual({
      ok: false,
      error: 'begin_again',
    });
    expect(await here.passwords.set(bob, { ...typed, signInName: 'bob', code: '000000' })).toEqual({ ok: false, error: 'wrong_code' });
    expect(await here.passwords.set(bob, { ...typed, signInName: 'bob' })).toMatchObject({ ok: true });
  });

  it('the secret of an app for codes lies sealed in the database, and no code or password in clear', async () => {
    const rows = [await opened.test.look('select * from passwords'), await opened.test.look('select * from recovery_codes')]
      .flat()
      .flatMap((row) => Object.values(row as object).map(String))
      .join(' ');
    for (const told of [secret, PASSWORD, ...codes]) expect(rows).not.toContain(told);
  });

  it('attack: the password of a person who was removed, and one that was removed', async () => {
    await there.passwords.remove(ada.personId);
    expect(await tryWith({ code: code() })).toMatchObject({ ok: false });
    ({ secret } = await setPassword(ada, 'ada'));
    here.clock.advance(STEP_MS);
    await there.people.remove(ada.personId);
    expect(await tryWith({ code: code() })).toMatchObject({ ok: false });
  });
});
