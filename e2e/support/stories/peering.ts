import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { ReachedNode } from '../clients/flows.ts';
import { SIDES, type Side } from '../nodes/two-nodes.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
/** The steps between the messages, and the commits around which each step is only stored, or not. */
const POINTS = [
  ...[1, 2, 3, 4].map((nth) => `peering-step:${nth}`),
  ...[3, 4, 5, 6, 7, 8].flatMap((nth) => [`before-commit:${nth}`, `after-commit:${nth}`]),
];

/** Two nodes, of which some die. */
export interface MortalPair {
  /** Those that die. */
  readonly mortal: readonly Side[];
  /** How often one has died at its fail point. */
  readonly deaths: () => number;
  readonly at: (side: Side) => ReachedNode;
  /** Starts one again, with a fail point. One that lives for ever is left alone. */
  readonly restart: (side: Side, failPoint?: string) => Promise<void>;
  /** Does something again and again until it succeeds, although a node may die meanwhile or has just been started. */
  readonly untilDone: <T>(work: () => Promise<T>) => Promise<T>;
  /** Starts again what has died. */
  readonly startTheDead: () => Promise<void>;
}

const invite = (pair: MortalPair, requestId: string) =>
  pair.at('a').operator.invitations.create({ requestId, ...USD, creditLimit: 500n, introduction: 'A' });
const accept = (pair: MortalPair, code: string) =>
  pair.at('b').operator.invitations.accept({ code, terms: { ...USD, theirLimit: 500n }, creditLimit: 300n, name: 'A', introduction: 'B' });

/** Each node has exactly one peer, the other one, and packets go both ways. */
async function expectOnePair({ at }: MortalPair, step: string): Promise<Record<Side, string>> {
  const ids: string[] = [];
  for (const side of SIDES) {
    const { items } = await at(side).operator.peers.list({});
    expect(items, step).toMatchObject([{ endpoint: `${at(side === 'a' ? 'b' : 'a').publicUrl}/ilp`, position: 0n }]);
    const id = items[0]?.id ?? '';
    const tested = await at(side).operator.invitations.testBothWays({ id });
    expect([tested.there.finding, tested.back.finding], step).toEqual(['accepted', 'accepted']);
    expect(await at(side).operator.invitations.list(), step).toEqual({ given: [], accepted: [] });
    ids.push(id);
  }
  return { a: ids[0] ?? '', b: ids[1] ?? '' };
}

/** Runs rounds until a node has died often enough in them; in each round one node has a fail point. */
async function kill(pair: MortalPair, kills: number, round: (step: string) => Promise<void>): Promise<void> {
  const before = pair.deaths();
  const { length } = pair.mortal;
  for (let nth = 0; pair.deaths() - before < kills; nth += 1) {
    expect(nth, 'rounds').toBeLessThan(kills * 6 + 24);
    const [side, point] = [pair.mortal[nth % length] ?? 'a', POINTS[Math.floor(nth / length) % POINTS.length] ?? ''];
    await pair.restart(side, point);
    await round(`${side} at ${point}`);
    await pair.startTheDead();
  }
}

/** Side a invites side b. An invitation leads to one peer on each side, whenever a node dies. */
export async function expectInvitedOnce(pair: MortalPair, kills: number): Promise<void> {
  const { at, untilDone } = pair;
  await kill(pair, kills, async (step) => {
    const requestId = randomUUID();
    const { code, invitation } = await untilDone(() => invite(pair, requestId));
    const { given } = await untilDone(() => at('a').operator.invitations.list());
    const waiting = given.map(({ id }) => id);
    expect(waiting, step).toEqual([invitation.id]);
    await untilDone(() => accept(pair, code));
    const ids = await untilDone(() => expectOnePair(pair, step));
    for (const side of SIDES) await pair.restart(side);
    expect(await untilDone(() => expectOnePair(pair, step))).toEqual(ids);
    for (const side of SIDES) await at(side).operator.peers.remove({ id: ids[side] });
  });
}

/** Side a renews the tokens of both. They are renewed, or stay as they were, whenever a node dies. */
export async function expectRenewed(pair: MortalPair, kills: number): Promise<void> {
  const { at, untilDone } = pair;
  const { code } = await invite(pair, randomUUID());
  await untilDone(() => accept(pair, code));
  const ids = await expectOnePair(pair, 'before');
  await kill(pair, kills, async (step) => {
    const renew = () => at('a').operator.invitations.renewTokens({ id: ids.a });
    await renew().catch(() => undefined);
    // Whatever was reached, packets go both ways.
    await untilDone(() => expectOnePair(pair, step));
    await expect.poll(async () => (await untilDone(renew)).state, { timeout: 30_000 }).toBe('done');
    expect(await untilDone(() => expectOnePair(pair, step))).toEqual(ids);
  });
  for (const side of SIDES) await at(side).operator.peers.remove({ id: ids[side] });
}
