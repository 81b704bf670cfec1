import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLong } from '../support/long.ts';
import { DyingNode } from '../support/nodes/dying-node.ts';

// The shop closes its day again and again while money moves, and the node is killed at each step of it.

/** How often the node is killed while the day is closed. */
const KILLS = isLong ? 50 : 2;
/** The node dies before and after the write that closes, and at commits of what goes on beside it. */
const POINTS = [
  ...['closing-step:1', 'closing-step:2', 'closing-step:3', 'closing-step:4'],
  ...[1, 2, 3, 4, 5, 6].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]),
];

let dying: DyingNode;
beforeAll(async () => {
  dying = await DyingNode.start('closings');
});
afterAll(() => dying.stop());

it(
  'closings have numbers without gaps, and each movement is in one of them, whenever the node is killed',
  async () => {
    const make = { requestId: randomUUID(), name: 'shop', publicName: 'The shop', assetCode: 'USD', assetScale: 2, openingBalance: 0n };
    const { id } = await dying.node.operator.accounts.create(make);
    let [last, deposited, amount] = [0, 0n, 0n];
    for (let nth = 0; dying.deaths < KILLS; nth += 1) {
      expect(nth, 'rounds').toBeLessThan(KILLS * 8 + 40);
      await dying.restart(POINTS[nth % POINTS.length]);
      amount += 1n;
      const [deposit, closing] = [
        { requestId: randomUUID(), id, amount, note: '' },
        { requestId: randomUUID(), last },
      ];
      const put = () => dying.node.operator.accounts.deposit(deposit);
      const close = () => dying.node.operator.closings.close(closing);
      await Promise.allSettled([put(), close(), close()]);
      await dying.untilDone(put);
      deposited += amount;
      const { number } = await dying.untilDone(close);
      expect(number).toBe(last + 1);
      last = number;
    }
    const papers = await Promise.all(
      Array.from({ length: last }, (_, before) => dying.untilDone(() => dying.node.operator.closings.get({ number: before + 1 }))),
    );
    const books = [...papers, await dying.untilDone(() => dying.node.operator.closings.current())].map(
      ({ figures }) => figures.accounts.find((account) => account.id === id)?.books ?? undefined,
    );
    expect(books.reduce((sum, one) => sum + (one?.deposits ?? 0n), 0n)).toBe(deposited);
    let balance = 0n;
    for (const one of books) {
      if (one === undefined) continue;
      expect([one.opening, one.difference]).toEqual([balance, 0n]);
      balance = one.closing;
    }
    expect(balance).toBe(deposited);
    expect(papers.map(({ isWhole }) => isWhole)).toEqual(papers.map(() => true));
    expect(papers.slice(1).map(({ before }) => before)).toEqual(papers.slice(0, -1).map(({ hash }) => hash));
    console.log(`${dying.deaths} kills, ${last} closings`);
  },
  Math.max(300_000, KILLS * 90_000),
);
