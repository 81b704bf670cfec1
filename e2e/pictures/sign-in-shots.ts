import type { Page } from 'playwright-core';
import { consoleLink } from '../support/nodes/console-link.ts';
import type { RunningNode } from '../support/nodes/running-node.ts';
import type { Say } from './say.ts';
import { press, type Shot, type Stage } from './shots.ts';

const NONE = { passkey: false, password: false, setUp: false, isRemote: false, people: [] };
const KNOWN = [
  { id: 'owner', name: 'Olga', role: 'owner', hasPin: true },
  { id: '019ac0de-0000-7000-8000-000000000001', name: 'Ada', role: 'cashier', hasPin: true },
];
const PASSPHRASE = 'seven plain words make a long one';

/** Opens the console as somebody finds it for whom these are the ways in. */
const waysIn =
  (ways: object, then?: (page: Page, say: Say) => Promise<unknown>) =>
  async (page: Page, say: Say): Promise<undefined> => {
    await page.route('**/operator/ways-in', (route) => route.fulfill({ json: { ...NONE, ...ways } }), { times: 1 });
    await page.reload();
    // What a browser can do is asked first.
    await page.locator('button, input').first().waitFor();
    await then?.(page, say);
  };

/** What a browser shows to whoever is not signed in: there is no session, and each shot has its own ways in. */
export const signedOut = (node: RunningNode): Stage => ({
  origin: node.consoleUrl,
  operator: node.operator,
  enter: async (page) => void (await page.goto(node.consoleUrl)),
  shots: [
    { docs: 'none', name: 'no-session', path: '/', before: waysIn({}) },
    { docs: 'none', name: 'set-up', path: '/', before: waysIn({ setUp: true, isRemote: true }) },
    { docs: 'none', name: 'sign-in', path: '/', before: waysIn({ passkey: true, password: true, isRemote: true }) },
    {
      docs: 'none',
      name: 'sign-in-password',
      path: '/',
      before: waysIn({ passkey: true, password: true }, (page, say) => press(page, say('ways.signIn.withPassword'))),
    },
    { docs: 'none', name: 'take-over', path: '/', before: waysIn({ passkey: true, people: KNOWN }) },
    {
      docs: 'none',
      name: 'take-over-pin',
      path: '/',
      before: waysIn({ people: KNOWN }, (page) => press(page, /^Olga/)),
    },
  ],
});

/** The lock, and the dialog of somebody who hands the browser over. */
export async function* locked(node: RunningNode): AsyncGenerator<Stage> {
  const handOver: Shot = {
    ...{ docs: 'none', name: 'hand-over', path: '/' },
    before: async (page, say) => {
      await page
        .getByRole('button', { name: say('ways.takeOver.switch') })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  };
  const enter = async (page: Page) => void (await page.goto(await consoleLink(node)));
  yield { origin: node.consoleUrl, operator: node.operator, enter, shots: [handOver] };
  await node.operator.lock.protect({ passphrase: PASSPHRASE, settings: { idleMinutes: null, atStart: true } });
  await node.operator.lock.now({ everyone: true });
  yield { origin: node.consoleUrl, operator: node.operator, enter, shots: [{ name: 'locked', path: '/' }] };
}
