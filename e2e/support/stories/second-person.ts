import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import type { ClientWallet } from '../clients/client-wallet.ts';
import { createAccount, finishSpending, type ReachedNode, readCode, requestSpending, usd, waitingRequest } from '../clients/flows.ts';
import type { DyingNode } from '../nodes/dying-node.ts';
import type { Operator } from '../nodes/running-node.ts';
import { openConsoleLink } from '../pages/console-session.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const ABOVE = 100n;
const EACH = 101n;

type Party = Awaited<ReturnType<typeof createAccount>>;

/** Something that needs a second person. */
interface Act {
  /** Asks for it. */
  readonly ask: () => Promise<unknown>;
  /** How often it was done. */
  readonly timesDone: () => Promise<number>;
  /** What is looked at once it was done. */
  readonly atEnd?: () => Promise<unknown>;
}

/** The kinds of acts that the office knows. */
export const ACTS = ['a payment', 'a refund', 'an approval', 'less protection'] as const;
type Kind = (typeof ACTS)[number];

/** A node where Ada asks for acts that need a second person, and Bob confirms them. It dies at each step of both. */
export class DyingOffice {
  readonly #dying: DyingNode;
  readonly #client: ClientWallet;
  readonly #reached: ReachedNode;
  readonly #ada: Operator;
  readonly #bob: Operator;
  readonly #shop: Party;
  readonly #supplier: Party;
  /** What the supplier has paid at the till of the shop. */
  readonly #sale: string;

  private constructor(parts: {
    dying: DyingNode;
    client: ClientWallet;
    reached: ReachedNode;
    people: [ada: Operator, bob: Operator];
    accounts: [shop: Party, supplier: Party];
    sale: string;
  }) {
    this.#dying = parts.dying;
    this.#client = parts.client;
    this.#reached = parts.reached;
    [this.#ada, this.#bob] = parts.people;
    [this.#shop, this.#supplier] = parts.accounts;
    this.#sale = parts.sale;
  }

  /**
   * @param dying keeps the address of its console when it starts again.
   * @param publicUrl where its clients find it.
   */
  static async start(dying: DyingNode, client: ClientWallet, publicUrl: () => string): Promise<DyingOffice> {
    const reached: ReachedNode = {
      get publicUrl() {
        return publicUrl();
      },
      get operator() {
        return dying.node.operator;
      },
    };
    const { operator } = reached;
    const shop = await createAccount(reached, 'office-shop', 1_000_000n);
    const supplier = await createAccount(reached, 'office-supplier', 1_000_000n);
    const request = await operator.requests.create({ requestId: randomUUID(), accountId: shop.id, amount: 100n * EACH });
    const from = { requestId: randomUUID(), accountId: supplier.id };
    const { id: quoteId } = await operator.payments.quote({ ...from, payee: request.link });
    await operator.payments.pay({ ...from, quoteId });
    await vi.waitUntil(async () => (await operator.payments.get({ id: request.id })).status === 'paid', { timeout: 60_000 });
    /** A manager whose browser stays signed in, whatever becomes of the node. */
    const signedIn = async (name: string): Promise<Operator> => {
      const { secret } = await operator.people.invite({ name, role: 'manager' });
      return (await openConsoleLink(`${dying.node.consoleUrl}/#link=${secret}`)).operator;
    };
    const people: [Operator, Operator] = [await signedIn('Ada'), await signedIn('Bob')];
    for (const what of ['money', 'approvals'] as const) await operator.secondPerson.set({ what, ...USD, above: ABOVE });
    return new DyingOffice({ dying, client, reached, people, accounts: [shop, supplier], sale: request.id });
  }

  /**
   * An act waits once for the second person and is done once, whenever the node dies.
   * @param points the fail points at which it dies, once while Ada asks and once while Bob confirms.
   */
  async expectDoneOnce(kind: Kind, points: readonly string[]): Promise<void> {
    const dying = this.#dying;
    for (const point of points) {
      const { ask, timesDone, atEnd } = await this.#make(kind);
      const asking = () => orCode(ask, 'WAITS_FOR_SECOND');
      await dying.restart(point);
      await Promise.allSettled([asking()]);
      for (const again of [1, 2]) expect(await dying.untilDone(asking), `${point}, asked again ${again}`).toBe('WAITS_FOR_SECOND');
      expect([(await this.#waiting()).length, await timesDone()], point).toEqual([1, 0]);

      await dying.restart(point);
      const [act] = await this.#waiting();
      const shown = { id: act?.id ?? '', hash: act?.hash ?? '' };
      const confirm = () => orCode(() => this.#bob.waiting.confirm(shown), 'NOT_WAITING');
      await Promise.allSettled([confirm()]);
      await dying.untilDone(confirm);
      await expect.poll(timesDone, { message: point }).toBe(1);
      expect([(await this.#waiting()).length, await dying.untilDone(confirm), await timesDone()], point).toEqual([0, 'NOT_WAITING', 1]);
      const entries = (await dying.untilDone(() => dying.node.operator.activity.list({ text: shown.id }))).items;
      const ofAct = entries.filter(({ subject }) => subject === shown.id).map(({ operation }) => operation);
      const ofWaiting = ofAct.filter((operation) => operation.startsWith('waiting.'));
      expect(ofWaiting, point).toEqual(['waiting.confirm', 'waiting.ask']);
      await atEnd?.();
    }
  }

  #make(kind: Kind): Promise<Act> {
    switch (kind) {
      case 'a payment':
        return this.#payment();
      case 'a refund':
        return this.#refund();
      case 'an approval':
        return this.#approval();
      case 'less protection':
        return this.#setting();
    }
  }

  async #payment(): Promise<Act> {
    const [before, payee] = [await this.#paid(), this.#supplier.walletAddress];
    const from = { requestId: randomUUID(), accountId: this.#shop.id };
    const { id: quoteId } = await this.#dying.untilDone(() => this.#ada.payments.quote({ ...from, payee, send: EACH }));
    return {
      ask: () => this.#ada.payments.pay({ ...from, quoteId, payee }),
      timesDone: async () => Number(((await this.#paid()) - before) / EACH),
    };
  }

  async #refund(): Promise<Act> {
    const requestId = randomUUID();
    const before = await this.#paid();
    const id = this.#sale;
    return {
      ask: () => this.#ada.refunds.create({ requestId, paymentId: id, amount: EACH }),
      timesDone: async () => {
        const { refunds } = await this.#dying.untilDone(() => this.#reached.operator.payments.get({ id }));
        const done = refunds.filter(({ id, state }) => id === requestId && state === 'done').length;
        // The refund ends in the write that moves its money.
        return Number(((await this.#paid()) - before) / EACH) === done ? done : -1;
      },
    };
  }

  async #approval(): Promise<Act> {
    const [dying, client, reached] = [this.#dying, this.#client, this.#reached];
    const asked = await requestSpending(reached, client, this.#shop.walletAddress, { debitAmount: usd('101') });
    const code = await readCode(client, asked);
    const { id, shownHash } = await dying.untilDone(() => waitingRequest(reached));
    return {
      ask: () => this.#ada.approvals.approve({ id, code, shownHash }),
      timesDone: async () => ((await dying.untilDone(() => reached.operator.apps.grant({ id }))).state === 'approved' ? 1 : 0),
      atEnd: async () => {
        // The client's way to its token is no step of the act: a fail point that is still ahead would meet it.
        await dying.restart();
        const back = await client.follow(asked.grant.interact.redirect);
        expect((await finishSpending(reached, client, asked, back.searchParams)).value).not.toBe('');
      },
    };
  }

  /** The owner lowers the protection at the computer, which needs a second person as well. */
  async #setting(): Promise<Act> {
    const less = { what: 'approvals' as const, ...USD, above: 2n * ABOVE };
    const limits = () => this.#dying.untilDone(async () => (await this.#reached.operator.secondPerson.get()).limits);
    return {
      ask: () => this.#reached.operator.secondPerson.set(less),
      timesDone: async () => (await limits()).filter(({ what, above }) => what === less.what && above === less.above).length,
      atEnd: () => this.#dying.untilDone(() => this.#reached.operator.secondPerson.set({ ...less, above: ABOVE })),
    };
  }

  async #paid(): Promise<bigint> {
    const { id } = this.#supplier;
    return (await this.#dying.untilDone(() => this.#reached.operator.accounts.get({ id }))).balance;
  }

  async #waiting() {
    return (await this.#dying.untilDone(() => this.#bob.waiting.list())).items;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Does something, for which one of these codes is an answer as well. */
const orCode = async (work: () => Promise<unknown>, ...codes: string[]): Promise<unknown> =>
  await work().catch((error: unknown) => {
    if (codes.some((code) => code === codeOf(error))) return codeOf(error);
    throw error;
  });
