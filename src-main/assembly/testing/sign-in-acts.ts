import { createRouterClient, type RouterClient } from '@orpc/server';
import type { OperatorContext } from '../../operator-api/context.ts';
import { newBrowser } from '../../operator-api/people/known-browsers.ts';
import { router } from '../../operator-api/router.ts';
import { TestAuthenticator } from '../../operator-api/sign-in/testing/authenticator.ts';
import { browserAt, HERE } from '../../operator-api/sign-in/testing/browsers.ts';
import { codeOf, stepAt } from '../../operator-api/sign-in/totp.ts';

const PASSWORD = 'correct horse battery';
const PIN = '402917';

interface Opened {
  context: OperatorContext;
  /** Signs the owner in. @returns the id of the session. */
  signIn: () => Promise<string>;
}

/** Every act of a person on how they sign in. Each prepares what it needs, and gives the act itself. */
export function signInActs(opened: () => Opened): Record<string, () => Promise<() => Promise<unknown>>> {
  const atPage = async () => {
    const { context, signIn } = opened();
    return createRouterClient(router, { context: { ...context, role: 'owner', session: await signIn(), site: HERE } });
  };
  const passkey = async () => {
    const page = await atPage();
    const { options } = await page.ways.beginPasskey();
    const asked = { challenge: String(options.challenge), origin: HERE.origin, rpId: 'localhost' };
    return () => page.ways.addPasskey({ name: 'Tablet', answer: new TestAuthenticator().register(asked) });
  };
  const password = async () => {
    const page = await atPage();
    const { setUp, secret } = await page.ways.beginPassword();
    const code = codeOf(secret, stepAt(opened().context.clock.now()));
    return () => page.ways.setPassword({ setUp, signInName: 'owner', password: PASSWORD, code });
  };
  return {
    'ways.addPasskey': passkey,
    'ways.removePasskey': async () => {
      await (await passkey())();
      const page = await atPage();
      const { passkeys } = await page.ways.list();
      return () => page.ways.removePasskey({ id: passkeys[0]?.id ?? '' });
    },
    'ways.setPassword': password,
    'ways.renewRecoveryCodes': async () => {
      await (await password())();
      const page = await atPage();
      return () => page.ways.renewRecoveryCodes();
    },
    ...pinActs(opened, atPage),
    'ways.removePassword': async () => {
      await (await password())();
      const page = await atPage();
      return () => page.ways.removePassword();
    },
  };
}

type Page = RouterClient<typeof router>;

/** Every act on PINs, and on the browsers in which they work. */
function pinActs(opened: () => Opened, atPage: () => Promise<Page>): Record<string, () => Promise<() => Promise<unknown>>> {
  return {
    'ways.setPin': async () => {
      const page = await atPage();
      return () => page.ways.setPin({ pin: PIN });
    },
    'ways.removePin': async () => {
      const page = await atPage();
      await page.ways.setPin({ pin: PIN });
      return () => page.ways.removePin();
    },
    'people.removePin': async () => {
      const page = await atPage();
      await page.ways.setPin({ pin: PIN });
      return () => page.people.removePin({ id: 'owner' });
    },
    'ways.forgetBrowser': async () => {
      const { context } = opened();
      const { secret } = await context.sessions.createLink();
      await context.sessions.redeem(secret, { ...browserAt(HERE), known: newBrowser(HERE, 'a browser', context.clock.now()).row });
      const page = await atPage();
      const { pin } = await page.ways.list();
      return () => page.ways.forgetBrowser({ id: pin.browsers[0]?.id ?? '' });
    },
  };
}
