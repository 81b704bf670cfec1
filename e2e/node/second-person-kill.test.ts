import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, finishSpending, readCode, requestSpending, usd, waitingRequest } from '../support/clients/flows.ts';
import { isLong } from '../support/long.ts';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { quietPort } from '../support/nodes/quiet-port.ts';
import type { Operator } from '../support/nodes/running-node.ts';
import { openConsoleLink } from '../support/pages/console-session.ts';

// Ada asks for acts that need a second person, and Bob confirms them. The node is killed at each step of both.

const USD = { assetCode: 'USD', assetScale: 2 };
const ABOVE = 100n;
const EACH = 101n;

/** Where the node dies: in the write that lets an act wait or does it, after that write, and at its commit. */
const STEPS = ['waiting-step:1', 'waiting-step:2'] as const;
const COMMITS = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]);
const POINTS = isLong ? [...STEPS, ...COMMITS, ...[1, 2, 3, 4].map((nth) => `refund-step:${nth}`)] : STEPS;

type Party = Awaited<ReturnType<typeof createAccount>>;

let dying: DyingNode;
let client: ClientWallet;
let ada: Operator;
let bob: Operator;
let shop: Party;
let supplier: Party;
/** What the supplier has paid at the till of the shop. */
let sale: string;
beforeAll(async () => {
  client = await ClientWallet.start();
  const [listen, console] = [await quietPort(), await quietPort()];
  dying = await DyingNode.start('second-person', ['--listen', `127.0.0.1:${listen}`, '--console', `127.0.0.1:${console}`]);
  const { operator } = dying.node;
  shop = await createAccount(dying.node, 'shop', 1_000_000n);
  supplier = await createAccount(dying.node, 'supplier', 1_000_000n);
  const request = await operator.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 100n * EACH });
  const from = { requestId: randomUUID(), accountId: supplier.id };
  const { id: quoteId } = await operator.payments.quote({ ...from, payee: request.link });
  await operator.payments.pay({ ...from, quoteId });
  sale = request.id;
  await vi.waitUntil(async () => (await operator.payments.get({ id: sale })).status === 'paid', { timeout: 60_000 });
  [ada, bob] = [await signedIn('Ada'), await signedIn('Bob')];
  for (const what of ['money', 'approvals'] as const) await operator.secondPerson.set({ what, ...USD, above: ABOVE });
});
afterAll(async () => {
  await dying.stop();
  await client.stop();
});

/** A manager whose browser stays signed in, whatever becomes of the node. */
async function signedIn(name: string): Promise<Operator> {
  const { secret } = await dying.node.operator.people.invite({ name, role: 'manager' });
  return (await openConsoleLink(`${dying.node.consoleUrl}/#link=${secret}`)).operator;
}

interface Act {
  /** Asks for it. */
  readonly ask: () => Promise<unknown>;
  /** How often it was done. */
  readonly timesDone: () => Promise<number>;
  /** What is looked at once it was done. */
  readonly atEnd?: () => Promise<unknown>;
}

const paidTo = async ({ id }: Party) => (await dying.untilDone(() => dying.node.operator.accounts.get({ id }))).balance;

async function payment(): Promise<Act> {
  const [before, payee] = [await paidTo(supplier), supplier.walletAddress];
  const from = { requestId: randomUUID(), accountId: shop.id };
  const { id: quoteId } = await dying.untilDone(() => ada.payments.quote({ ...from, payee, send: EACH }));
  return {
    ask: () => ada.payments.pay({ ...from, quoteId, payee }),
    timesDone: async () => Number(((await paidTo(supplier)) - before) / EACH),
  };
}

async function refund(): Promise<Act> {
  const requestId = randomUUID();
  const before = await paidTo(supplier);
  return {
    ask: () => ada.refunds.create({ requestId, paymentId: sale, amount: EACH }),
    timesDone: async () => {
      const { refunds } = await dying.untilDone(() => dying.node.operator.payments.get({ id: sale }));
      const done = refunds.filter(({ id, state }) => id === requestId && state === 'done').length;
      // The refund ends in the write that moves its money.
      return Number(((await paidTo(supplier)) - before) / EACH) === done ? done : -1;
    },
  };
}

async function approval(): Promise<Act> {
  const asked = await requestSpending(dying.node, client, shop.walletAddress, { debitAmount: usd('101') });
  const code = await readCode(client, asked);
  const { id, shownHash } = await dying.untilDone(() => waitingRequest(dying.node));
  return {
    ask: () => ada.approvals.approve({ id, code, shownHash }),
    timesDone: async () => ((await dying.untilDone(() => dying.node.operator.apps.grant({ id }))).state === 'approved' ? 1 : 0),
    atEnd: async () => {
      // The client's way to its token is no step of the act: a fail point that is still ahead would meet it.
      await dying.restart();
      const back = await client.follow(asked.grant.interact.redirect);
      expect((await finishSpending(dying.node, client, asked, back.searchParams)).value).not.toBe('');
    },
  };
}

/** The owner lowers the protection at the computer, which needs a second person as well. */
async function setting(): Promise<Act> {
  const less = { what: 'approvals' as const, ...USD, above: 2n * ABOVE };
  const limits = () => dying.untilDone(async () => (await dying.node.operator.secondPerson.get()).limits);
  return {
    ask: () => dying.node.operator.secondPerson.set(less),
    timesDone: async () => (await limits()).filter(({ what, above }) => what === less.what && above === less.above).length,
    atEnd: () => dying.untilDone(() => dying.node.operator.secondPerson.set({ ...less, above: ABOVE })),
  };
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Does something, for which one of these codes is an answer as well. */
const orCode = async (work: () => Promise<unknown>, ...codes: string[]): Promise<unknown> =>
  await work().catch((error: unknown) => {
    if (codes.some((code) => code === codeOf(error))) return codeOf(error);
    throw error;
  });

const waiting = async () => (await dying.untilDone(() => bob.waiting.list())).items;

it.each([
  ['a payment', payment],
  ['a refund', refund],
  ['an approval', approval],
  ['less protection', setting],
])(
  '%s waits once for the second person and is done once, whenever the node is killed',
  async (_name, make) => {
    const died = dying.deaths;
    for (const point of POINTS) {
      const { ask, timesDone, atEnd } = await make();
      const asking = () => orCode(ask, 'WAITS_FOR_SECOND');
      await dying.restart(point);
      await Promise.allSettled([asking()]);
      for (const again of [1, 2]) expect(await dying.untilDone(asking), `${point}, asked again ${again}`).toBe('WAITS_FOR_SECOND');
      expect([(await waiting()).length, await timesDone()], point).toEqual([1, 0]);

      await dying.restart(point);
      const [act] = await waiting();
      const shown = { id: act?.id ?? '', hash: act?.hash ?? '' };
      const confirm = () => orCode(() => bob.waiting.confirm(shown), 'NOT_WAITING');
      await Promise.allSettled([confirm()]);
      await dying.untilDone(confirm);
      await expect.poll(timesDone, { message: point }).toBe(1);
      expect([(await waiting()).length, await dying.untilDone(confirm), await timesDone()], point).toEqual([0, 'NOT_WAITING', 1]);
      const entries = (await dying.untilDone(() => dying.node.operator.activity.list({ text: shown.id }))).items;
      const ofAct = entries.filter(({ subject }) => subject === shown.id).map(({ operation }) => operation);
      expect(
        ofAct.filter((operation) => operation.startsWith('waiting.')),
        point,
      ).toEqual(['waiting.confirm', 'waiting.ask']);
      await atEnd?.();
    }
    // A start that fails on a busy machine is tried once more without the fail point, so not every point ends the node.
    expect(dying.deaths - died, 'deaths').toBeGreaterThanOrEqual(STEPS.length);
  },
  Math.max(600_000, POINTS.length * 120_000),
);
