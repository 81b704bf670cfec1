import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOTH_ENGINES } from '../../platform/database/testing/both-engines.ts';
import { newSecret } from '../../platform/ids.ts';
import type { Site } from '../people/site.ts';
import { CHALLENGE_MS } from './challenges.ts';
import type { PersonAtPage } from './passkeys.ts';
import { TestAuthenticator } from './testing/authenticator.ts';
import { browserAt, ELSEWHERE, HERE } from './testing/browsers.ts';
import { addPasskey, challengeOf, newPerson, openSignIns, rpIdOf, type SignIns } from './testing/sign-ins.ts';

describe.each(BOTH_ENGINES)('passkeys over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let here: SignIns;
  /** Another process of the node. */
  let there: SignIns;
  let ada: PersonAtPage;
  let device: TestAuthenticator;
  beforeEach(async () => {
    opened = open();
    here = openSignIns(opened.test.database);
    there = openSignIns(opened.there, here.clock);
    ada = await newPerson(here);
    device = await addPasskey(here, ada);
  });
  afterEach(() => opened.dispose());

  const askedAt = async (site: Site = HERE) => ({
    ...{ challenge: challengeOf(await here.passkeys.beginSignIn(site)), origin: site.origin, rpId: rpIdOf(site) },
  });

  it('sign their person in, and each answer once, at whichever process it arrives', async () => {
    const answer = device.assert(await askedAt());
    const both = await Promise.all([here.passkeys.signIn(answer, browserAt(HERE)), there.passkeys.signIn(answer, browserAt(HERE))]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    const secrets = both.find(({ ok }) => ok);
    if (secrets?.ok !== true) throw new Error('nobody was signed in');
    expect(await there.sessions.find(secrets.value, HERE)).toMatchObject({ person: { id: ada.personId, name: 'Ada' } });
    expect(await there.passkeys.signIn(answer, browserAt(HERE))).toEqual({ ok: false, error: 'refused' });
  });

  it('attack: a passkey of another origin, of another domain, and without the person', async () => {
    const asked = await askedAt();
    for (const lie of [
      { origin: 'http://localhost:8080' },
      { origin: 'https://desk.example' },
      { rpId: 'evil.example' },
      { isVerified: false },
    ]) {
      expect(await here.passkeys.signIn(device.assert({ ...asked, ...lie }), browserAt(HERE))).toMatchObject({ ok: false });
    }
    // The honest answer is still welcome after them.
    expect(await here.passkeys.signIn(device.assert(asked), browserAt(HERE))).toMatchObject({ ok: true });
    // Nobody at the console's URL on the network gets in by what works at this computer.
    const onNetwork = await askedAt(ELSEWHERE);
    expect(await here.passkeys.signIn(device.assert(onNetwork), browserAt(ELSEWHERE))).toMatchObject({ ok: false });
  });

  it('attack: a challenge that nobody made, for something else, of another page, and after five minutes', async () => {
    const { origin, rpId } = await askedAt();
    const forOther = challengeOf(await here.passkeys.beginAdding(ada));
    for (const challenge of [newSecret(), forOther, challengeOf(await here.passkeys.beginSignIn(ELSEWHERE))]) {
      expect(await here.passkeys.signIn(device.assert({ challenge, origin, rpId }), browserAt(HERE))).toMatchObject({ ok: false });
    }
    const late = device.assert(await askedAt());
    here.clock.advance(CHALLENGE_MS);
    expect(await here.passkeys.signIn(late, browserAt(HERE))).toMatchObject({ ok: false });
  });

  it('attack: somebody else adds their passkey with the challenge of a person', async () => {
    const bob = await newPerson(here, 'Bob');
    const asked = { challenge: challengeOf(await here.passkeys.beginAdding(ada)), origin: HERE.origin, rpId: rpIdOf(HERE) };
    expect(await here.passkeys.add(bob, 'Mine', new TestAuthenticator().register(asked))).toEqual({ ok: false, error: 'refused' });
    expect(await here.passkeys.add(ada, 'Again', device.register(asked))).toEqual({ ok: false, error: 'refused' });
    expect(await here.passkeys.list(bob.personId)).toEqual([]);
    expect(await here.passkeys.list(ada.personId)).toHaveLength(1);
  });

  it('attack: the counter goes back, as that of a copy does', async () => {
    expect(await here.passkeys.signIn(device.assert(await askedAt()), browserAt(HERE))).toMatchObject({ ok: true });
    device.counter = 0;
    expect(await here.passkeys.signIn(device.assert(await askedAt()), browserAt(HERE))).toMatchObject({ ok: false });
    expect(await opened.test.look("select operation from activities where operation = 'session.passkeyRefused'")).toHaveLength(1);
    device.counter = 5;
    expect(await here.passkeys.signIn(device.assert(await askedAt()), browserAt(HERE))).toMatchObject({ ok: true });
  });

  it('attack: a passkey that was removed, of a person who was removed, and in the name of another person', async () => {
    const asked = await askedAt();
    const other = Buffer.from('owner').toString('base64url');
    expect(await here.passkeys.signIn(device.assert({ ...asked, userHandle: other }), browserAt(HERE))).toMatchObject({ ok: false });
    const [kept] = await here.passkeys.list(ada.personId);
    expect(await here.passkeys.remove('owner', kept?.id ?? '')).toBe(false);
    expect(await here.passkeys.remove(ada.personId, kept?.id ?? '')).toBe(true);
    expect(await there.passkeys.signIn(device.assert(asked), browserAt(HERE))).toMatchObject({ ok: false });
    const second = await addPasskey(here, ada);
    await there.people.remove(ada.personId);
    expect(await here.passkeys.signIn(second.assert(await askedAt()), browserAt(HERE))).toMatchObject({ ok: false });
  });

  it('cannot be at an address of numbers', async () => {
    const numbers = { origin: 'http://127.0.0.1:3001', isRemote: false };
    expect(await here.passkeys.beginSignIn(numbers)).toEqual({ ok: false, error: 'not_here' });
    expect(await here.passkeys.beginAdding({ ...ada, site: numbers })).toEqual({ ok: false, error: 'not_here' });
  });

  it('attack: whoever has opened a link over the network goes on after the owner has made another one', async () => {
    const eve = await newPerson(here, 'Eve', ELSEWHERE);
    expect((await here.sessions.list()).filter(({ personId }) => personId === eve.personId)).toEqual([]);
    const stolen = {
      id: eve.sessionId,
      isLimited: true,
      byPin: false,
      person: { id: eve.personId, name: 'Eve', role: 'cashier' as const },
    };
    expect(await there.sessions.isStillIn(opened.there.read, stolen)).toBe(true);
    await here.people.makeLink(eve.personId);
    expect(await there.sessions.isStillIn(opened.there.read, stolen)).toBe(false);
  });

  it('a link over the network lets a person only make a passkey, which signs them in', async () => {
    const eve = await newPerson(here, 'Eve', ELSEWHERE);
    expect((await here.people.list()).find(({ id }) => id === eve.personId)).toMatchObject({ state: 'invited' });
    const tablet = await addPasskey(here, eve);
    expect((await here.people.list()).find(({ id }) => id === eve.personId)).toMatchObject({ state: 'active' });
    expect(await here.passkeys.signIn(tablet.assert(await askedAt(ELSEWHERE)), browserAt(ELSEWHERE))).toMatchObject({ ok: true });
  });
});
