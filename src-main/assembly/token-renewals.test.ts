import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OVERLAP_MS } from '../peers/peer-tokens.ts';
import { peerRenewals, peers as peersTable } from '../peers/tables.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { connectionOf, openPeeringNodes } from './testing/peering-nodes.ts';

const [A, B] = ['https://a.example', 'https://b.example'] as const;
const USD = { assetCode: 'USD', assetScale: 2 };

let nodes: Awaited<ReturnType<typeof openPeeringNodes>>;
/** The peer's id at each node. */
let ids: Record<string, string>;
beforeEach(async () => {
  nodes = await openPeeringNodes([A, B]);
  const made = await peering(A).given.create({ id: randomUUID(), ...USD, creditLimit: 0n, introduction: 'A' });
  if (!made.ok) throw new Error(made.error);
  const accepted = await peering(B).accepted.accept({
    ...{ code: made.value.code, creditLimit: 0n, terms: { ...USD, theirLimit: 0n }, name: 'A', introduction: 'B' },
  });
  if (!accepted.ok) throw new Error(accepted.error);
  ids = { [A]: made.value.invitation.id, [B]: accepted.value.id };
  nodes.passed.length = 0;
});
afterEach(() => nodes.close());

const peering = (origin: string) => nodes.node(origin).payments.peers.peering;
const idAt = (origin: string) => ids[origin] ?? '';
const renew = async (origin: string = A) => {
  const outcome = await peering(origin).renewals.renew(idAt(origin));
  return outcome.ok ? outcome.value.state : outcome.error;
};
const findings = async () => {
  const tests = [A, B].map(async (origin) => {
    const tested = await nodes.node(origin).payments.peers.operator.test(idAt(origin));
    return connectionOf(tested.ok && tested.value.finding);
  });
  return await Promise.all(tests);
};
const WORKS = ['accepted', 'accepted'];
/** The token that a node sends, as its messages have shown it. */
const sentBy = (origin: string) =>
  nodes.passed.findLast(({ from, path }) => from === origin && path === '/ilp')?.headers.authorization ?? '';
const isTaken = async (origin: string, authorization: string): Promise<boolean> => {
  const headers = { authorization, 'content-type': 'application/octet-stream' };
  return (await nodes.node(origin).app.inject({ method: 'POST', url: '/ilp', headers, payload: 'x' })).statusCode !== 401;
};

describe('renewing the tokens of a peer', () => {
  it('changes those of both directions, while the former ones still count for a while', async () => {
    expect(await findings()).toEqual(WORKS);
    const former = [sentBy(A), sentBy(B)] as const;
    expect(await renew()).toBe('done');
    expect(await findings()).toEqual(WORKS);
    const fresh = [sentBy(A), sentBy(B)] as const;
    expect(new Set([...former, ...fresh]).size).toBe(4);
    const taken = async () => await Promise.all([isTaken(B, former[0]), isTaken(A, former[1]), isTaken(B, fresh[0]), isTaken(A, fresh[1])]);
    nodes.advance(OVERLAP_MS - 1);
    expect(await taken()).toEqual([true, true, true, true]);
    nodes.advance(1);
    expect(await taken()).toEqual([false, false, true, true]);
  });

  it('ends the former token and the wait when the clock was ahead meanwhile, and is put right', async () => {
    expect(await findings()).toEqual(WORKS);
    const former = sentBy(A);
    const hours = 2 * 3_600_000;
    for (const origin of [A, B]) nodes.node(origin).clock.jump(hours);
    expect(await renew()).toBe('done');
    for (const origin of [A, B]) nodes.node(origin).clock.jump(-hours);
    expect(await findings()).toEqual(WORKS);
    nodes.advance(OVERLAP_MS - 1);
    // The peers are read again meanwhile, as replicas do it.
    await nodes.node(B).payments.peers.directory.reload();
    expect(await isTaken(B, former)).toBe(true);
    nodes.advance(1);
    expect(await isTaken(B, former)).toBe(false);
    expect(await renew()).toBe('done');
    expect(await findings()).toEqual(WORKS);
  });

  it('refuses no packet, whichever message gets lost, and comes to its end afterwards', async () => {
    const losses = (['renew', 'switch'] as const).flatMap((ask) => (['request', 'answer'] as const).map((lost) => [ask, lost] as const));
    for (const [ask, lost] of losses) {
      nodes.line.lose = ({ body }) => ((body as { ask?: string } | undefined)?.ask === ask ? lost : undefined);
      expect(await renew(), `${ask} ${lost}`).toBe('timed_out');
      expect(await findings(), `${ask} ${lost}`).toEqual(WORKS);
      nodes.line.lose = () => undefined;
      nodes.advance(OVERLAP_MS * 2);
      expect(await findings(), `${ask} ${lost}`).toEqual(WORKS);
      await nodes.node(A).payments.peers.worker.doDue();
      expect(await peering(A).renewals.unfinished()).toEqual([]);
      expect(await findings(), `${ask} ${lost}`).toEqual(WORKS);
      nodes.advance(OVERLAP_MS * 2);
      expect(await findings(), `${ask} ${lost}`).toEqual(WORKS);
    }
  });

  it('refuses no packet between any two of its steps', async () => {
    const seen: string[] = [];
    nodes.line.before = async ({ path, body }) => {
      if (path !== '/ilp/peering') return;
      seen.push((body as { ask: string }).ask);
      expect(await findings()).toEqual(WORKS);
    };
    expect(await renew(B)).toBe('done');
    expect(seen).toEqual(['renew', 'switch']);
    expect(await findings()).toEqual(WORKS);
  });

  it('goes on once when both operators begin at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      // Both have begun before either asks the other.
      let waiting = 0;
      let go: () => void = () => undefined;
      const together = new Promise<void>((resolve) => {
        go = resolve;
      });
      nodes.line.before = async ({ body }) => {
        if ((body as { ask?: string } | undefined)?.ask !== 'renew') return;
        waiting += 1;
        if (waiting === 2) go();
        await together;
      };
      const both = await Promise.all([renew(A), renew(B)]);
      nodes.line.before = async () => undefined;
      expect(both.sort()).toEqual(['done', 'other_renewal']);
      expect(await findings()).toEqual(WORKS);
      nodes.advance(OVERLAP_MS * 2);
      expect(await findings()).toEqual(WORKS);
      for (const origin of [A, B]) {
        await nodes.node(origin).payments.peers.worker.doDue();
        expect(await peering(origin).renewals.unfinished()).toEqual([]);
      }
    }
  });

  it('is harmed by no message that comes again later', async () => {
    await renew();
    const recorded = nodes.passed.filter(({ path }) => path === '/ilp/peering');
    await renew();
    expect(recorded).toHaveLength(2);
    for (const { body } of recorded) {
      // Not even with a token that is taken.
      await findings();
      const headers = { authorization: sentBy(A), 'content-type': 'application/json' };
      await nodes.node(B).app.inject({ method: 'POST', url: '/ilp/peering', headers, payload: JSON.stringify(body) });
      expect(await findings()).toEqual(WORKS);
    }
    nodes.advance(OVERLAP_MS * 2);
    expect(await findings()).toEqual(WORKS);
    expect(await renew()).toBe('done');
    expect(await findings()).toEqual(WORKS);
  });

  it('keeps tokens as the peers keep theirs: hashed, or sealed', async () => {
    nodes.line.lose = ({ body }) => ((body as { ask?: string } | undefined)?.ask === 'switch' ? 'request' : undefined);
    await renew();
    const told = nodes.passed.flatMap(({ body }) => (body as { token?: string } | undefined)?.token ?? []);
    expect(told).toHaveLength(1);
    for (const origin of [A, B]) {
      const { read } = nodes.node(origin).database;
      const stored = [await read.select().from(peerRenewals), await read.select().from(peersTable)];
      expect(JSON.stringify(stored, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(told[0]);
    }
  });

  it('ends when the operator sets a token by hand: the former ones are dead at once', async () => {
    await findings();
    const former = sentBy(B);
    await renew();
    expect(await isTaken(A, former)).toBe(true);
    const byHand = await nodes.node(A).payments.peers.operator.registry.renewToken(idAt(A));
    if (!byHand.ok) throw new Error(byHand.error);
    expect(await isTaken(A, former)).toBe(false);
    expect(await isTaken(A, `Bearer ${byHand.value.incomingToken}`)).toBe(true);
  });

  it('is not for a peer of another make', async () => {
    const id = randomUUID();
    const { registry } = nodes.node(A).payments.peers.operator;
    await registry.add(newPeer({ id, ilpAddress: 'test.other', endpoint: 'https://other.example/' }));
    const outcome = await peering(A).renewals.renew(id);
    expect(outcome).toEqual({ ok: false, error: 'by_hand' });
    expect(await peering(A).renewals.unfinished()).toEqual([]);
  });
});
