import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BOTH_ENGINES } from '../../platform/database/testing/both-engines.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import { pauseWays } from './after-copy.ts';
import { browserAt, HERE } from './testing/browsers.ts';
import { addPasskey, challengeOf, newPerson, openSignIns, rpIdOf, type SignIns, TEST_SEAL } from './testing/sign-ins.ts';
import { codeOf, stepAt } from './totp.ts';

const PASSWORD = 'correct horse battery';

describe.each(BOTH_ENGINES)('ways to sign in of restored books over $engine', ({ open }) => {
  let opened: ReturnType<typeof open>;
  let node: SignIns;
  beforeEach(() => {
    opened = open();
    node = openSignIns(opened.test.database);
  });
  afterEach(() => opened.dispose());

  it('attack: a passkey, a password and a recovery code of the copy. They wait for an owner', async () => {
    const ada = await newPerson(node);
    const device = await addPasskey(node, ada);
    const { setUp, secret } = await node.passwords.begin(ada);
    const first = codeOf(secret, stepAt(node.clock.now()));
    const set = await node.passwords.set(ada, { setUp, signInName: 'ada', password: PASSWORD, code: first });
    const [recovery = ''] = set.ok ? set.value : [];

    const to = new Seal(Buffer.alloc(32, 9));
    await opened.test.database.write((tx) => pauseWays(tx, { from: TEST_SEAL, to }, node.clock.now()));
    const restored = openSignIns(opened.there, node.clock, to);
    const bySignIn = async () => {
      const asked = { challenge: challengeOf(await restored.passkeys.beginSignIn(HERE)), origin: HERE.origin, rpId: rpIdOf(HERE) };
      return await restored.passkeys.signIn(device.assert(asked), browserAt(HERE));
    };
    const byPassword = async (code: string) =>
      await restored.passwords.signIn({ signInName: 'ada', password: PASSWORD, code }, { ...browserAt(HERE), address: '203.0.113.7' });
    const code = () => codeOf(secret, stepAt(node.clock.now()));
    node.clock.advance(60_000);
    for (const tried of [bySignIn(), byPassword(code()), byPassword(recovery)]) expect(await tried).toMatchObject({ ok: false });
    expect((await restored.people.list()).find(({ id }) => id === ada.personId)).toMatchObject({ isPaused: true });

    await restored.people.allowAgain(ada.personId);
    expect((await restored.people.list()).find(({ id }) => id === ada.personId)).toMatchObject({ isPaused: false });
    expect(await bySignIn()).toMatchObject({ ok: true });
    expect(await byPassword(recovery)).toMatchObject({ ok: false });
    node.clock.advance(60_000);
    expect(await byPassword(code())).toMatchObject({ ok: true });
  });
});
