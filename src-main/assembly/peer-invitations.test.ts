import { randomUUID } from 'node:crypto';
import { asc } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeInvitationCode } from '../../src-shared/typed-input/invitation-code.ts';
import { events } from '../journal/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { LIFETIME_MS } from '../peers/invitations/given-invitations.ts';
import { peerAcceptances, peerInvitations } from '../peers/invitations/tables.ts';
import { peers as peersTable } from '../peers/tables.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { connectionOf, openPeeringNodes } from './testing/peering-nodes.ts';
import type { TestNode } from './testing/test-node.ts';

const [A, B, C] = ['https://a.example', 'https://b.example', 'https://c.example'] as const;
const USD = { assetCode: 'USD', assetScale: 2 };

let nodes: Awaited<ReturnType<typeof openPeeringNodes>>;
beforeEach(async () => {
  nodes = await openPeeringNodes([A, B, C]);
});
afterEach(async () => {
  for (const origin of [A, B, C]) expect(await brokenInvariants(nodes.node(origin).database.read)).toEqual([]);
  await nodes.close();
});

const peering = (origin: string) => nodes.node(origin).payments.peers.peering;
const living = async ({ database }: TestNode) =>
  (await database.read.select().from(peersTable).orderBy(asc(peersTable.createdAt))).filter(({ state }) => state !== 'removed');

/** An invitation of a node, to which the other may owe 50.00. */
const invite = async (origin: string = A, asset = USD) => {
  const made = await peering(origin).given.create({ id: randomUUID(), ...asset, creditLimit: 5_000n, introduction: `Shop at ${origin}` });
  if (!made.ok) throw new Error(made.error);
  return made.value;
};
const accept = async (code: string, origin: string = B, change: { creditLimit?: bigint; theirLimit?: bigint } = {}) => {
  const { creditLimit = 2_000n, theirLimit = 5_000n } = change;
  return await peering(origin).accepted.accept({
    ...{ code, creditLimit, terms: { ...USD, theirLimit }, name: 'The inviter', introduction: 'Bakery' },
  });
};
const problemOf = async (work: ReturnType<typeof accept>) => {
  const outcome = await work;
  return outcome.ok ? 'accepted' : outcome.error;
};
const worksBothWays = async (origin: string, id: string) => {
  const there = await nodes.node(origin).payments.peers.operator.test(id);
  return [there.ok && there.value.finding, (await peering(origin).testBack(id)).finding].map(connectionOf);
};

/** Each node has one peer, and it is the other one; packets without money go both ways. */
async function expectOnePair(inviter: string = A, accepter: string = B) {
  const [[own, ...more], [other, ...others]] = [await living(nodes.node(inviter)), await living(nodes.node(accepter))];
  expect([more, others]).toEqual([[], []]);
  expect([own?.endpoint, other?.endpoint]).toEqual([`${accepter}/ilp`, `${inviter}/ilp`]);
  expect(await worksBothWays(inviter, own?.id ?? '')).toEqual(['accepted', 'accepted']);
  expect(await worksBothWays(accepter, other?.id ?? '')).toEqual(['accepted', 'accepted']);
  return { own, other };
}

describe('an invitation to become a peer', () => {
  it('tells who invites and what may be owed, and makes each node the other’s peer', async () => {
    const { code } = await invite();
    const read = await peering(B).accepted.read(code);
    expect(read).toMatchObject({
      ok: true,
      value: { origin: A, introduction: `Shop at ${A}`, ...USD, theirLimit: 5_000n, hasAccount: true },
    });
    expect(await problemOf(accept(code))).toBe('accepted');
    const { own, other } = await expectOnePair();
    const limits = async (origin: string, id = '') => {
      const peer = await nodes.node(origin).payments.peers.operator.registry.get(id);
      return [peer?.creditLimit, peer?.row.debtLimit];
    };
    expect(await limits(A, own?.id)).toEqual([5_000n, 2_000n]);
    expect(await limits(B, other?.id)).toEqual([2_000n, 5_000n]);
    expect([own?.name, other?.name]).toEqual(['Bakery (b.example)', 'The inviter']);
    expect(await peering(A).given.open()).toEqual([]);
    expect(await peering(B).accepted.list()).toEqual([]);
  });

  it('keeps no secret that somebody could read from the disk, the journal or a URL', async () => {
    const { code } = await invite();
    nodes.line.lose = ({ path }) => (path.endsWith('/accept') ? 'answer' : undefined);
    await accept(code);
    const stored = await Promise.all(
      [A, B].flatMap((origin) => {
        const { read } = nodes.node(origin).database;
        return [peerInvitations, peerAcceptances, peersTable, events].map((table) => read.select().from(table));
      }),
    );
    const text = JSON.stringify(stored, (_, value) => (typeof value === 'bigint' ? String(value) : value));
    const told = nodes.passed.flatMap(({ body }) => Object.entries(body ?? {}).filter(([name]) => /secret|nonce|token/.test(name)));
    expect(told.map(([name]) => name).sort()).toEqual(['nonce', 'nonce', 'secret', 'token']);
    for (const [, secret] of told) expect(text).not.toContain(secret);
    expect(text).not.toContain(code);
    for (const { path } of nodes.passed) expect(path).toMatch(/^\/ilp\/invitations\/(read|accept|confirm)$/);
  });

  it('gives the same code for the same intention, and none after a change of the node’s key', async () => {
    const wanted = { id: randomUUID(), ...USD, creditLimit: 1n, introduction: 'Me' };
    const [first, second] = [await peering(A).given.create(wanted), await peering(A).given.create(wanted)];
    expect(first).toEqual(second);
    await nodes.node(A).database.write((tx) => tx.update(peerInvitations).set({ secretHash: 'of another key' }));
    expect(await peering(A).given.create(wanted)).toEqual({ ok: false, error: 'added_before' });
  });

  it('is accepted once, whatever got lost on the way', async () => {
    for (const [path, lost] of [
      ['accept', 'request'],
      ['accept', 'answer'],
      ['confirm', 'request'],
      ['confirm', 'answer'],
    ] as const) {
      const { code } = await invite();
      nodes.line.lose = (message) => (message.path.endsWith(`/${path}`) ? lost : undefined);
      expect(await problemOf(accept(code)), `${path} ${lost}`).toBe(path === 'accept' ? 'unreachable' : 'not_called_back');
      nodes.line.lose = () => undefined;
      const [tokens] = await living(nodes.node(A));
      expect(await problemOf(accept(code)), `${path} ${lost}`).toBe('accepted');
      const { own, other } = await expectOnePair();
      if (tokens !== undefined) expect(own).toEqual(tokens);
      expect(await problemOf(accept(code))).toBe('accepted');
      await expectOnePair();
      await nodes.node(A).payments.peers.operator.registry.remove(own?.id ?? '');
      await nodes.node(B).payments.peers.operator.registry.remove(other?.id ?? '');
    }
  });

  it('is brought to its end by the node itself when the answer was lost', async () => {
    const { code } = await invite();
    nodes.line.lose = ({ path }) => (path.endsWith('/accept') ? 'answer' : undefined);
    await accept(code);
    expect(await peering(B).accepted.list()).toMatchObject([{ state: 'under_way', problem: 'unreachable' }]);
    nodes.line.lose = () => undefined;
    await nodes.node(B).payments.peers.worker.doDue();
    await expectOnePair();
  });

  it('is given up after two days, and told', async () => {
    const { code } = await invite();
    nodes.line.lose = ({ path }) => (path.endsWith('/accept') ? 'request' : undefined);
    await accept(code);
    nodes.advance(49 * 60 * 60_000);
    await nodes.node(B).payments.peers.worker.doDue();
    expect(await peering(B).accepted.unfinished()).toEqual([]);
  });

  it('serves one node only', async () => {
    const { code } = await invite();
    expect(await problemOf(accept(code))).toBe('accepted');
    expect(await peering(C).accepted.read(code)).toEqual({ ok: false, error: 'used' });
    expect(await problemOf(accept(code, C))).toBe('used');
    await expectOnePair();
    expect(await living(nodes.node(C))).toEqual([]);
  });

  it('serves one of two nodes that accept it in the same moment', async () => {
    const { code } = await invite();
    const both = await Promise.all([problemOf(accept(code)), problemOf(accept(code, C))]);
    expect(both.sort()).toEqual(['accepted', 'used']);
    const [peer] = await living(nodes.node(A));
    await expectOnePair(A, peer?.endpoint.slice(0, -4));
  });
});

describe('a code that leads to no peer is told why', () => {
  it('when it is no code, broken, unknown, expired or cancelled', async () => {
    const { code, invitation } = await invite();
    const read = async (text: string) => {
      const outcome = await peering(B).accepted.read(text);
      return outcome.ok ? 'open' : outcome.error;
    };
    expect(await read('hello')).toBe('no_code');
    expect(await read(code.slice(0, -3))).toBe('broken_code');
    expect(await read(writeInvitationCode({ origin: A, secret: new Uint8Array(16) }))).toBe('unknown');
    expect(await read(code)).toBe('open');
    nodes.advance(LIFETIME_MS - 1);
    expect(await read(code)).toBe('open');
    nodes.advance(1);
    expect(await read(code)).toBe('expired');
    expect(await problemOf(accept(code))).toBe('expired');
    expect(await peering(A).given.open()).toEqual([]);
    const second = await invite();
    expect((await peering(A).given.cancel(second.invitation.id)).ok).toBe(true);
    expect(await read(second.code)).toBe('cancelled');
    expect(await problemOf(accept(second.code))).toBe('cancelled');
    expect(await peering(A).given.cancel(second.invitation.id)).toEqual({ ok: false, error: 'not_open' });
    for (const gone of [invitation, second.invitation]) {
      expect(await peering(A).given.changeLimit(gone.id, 1n)).toEqual({ ok: false, error: 'not_open' });
    }
  });

  it('when the inviter has changed or cancelled it in between', async () => {
    const { code, invitation } = await invite();
    await peering(A).given.changeLimit(invitation.id, 1_000n);
    expect(await problemOf(accept(code))).toBe('changed');
    expect(await peering(B).accepted.read(code)).toMatchObject({ ok: true, value: { theirLimit: 1_000n } });
    nodes.line.before = async ({ path }) => {
      // The call back is under way when the inviter's operator takes the invitation back.
      if (path.endsWith('/confirm')) await peering(A).given.cancel(invitation.id);
    };
    expect(await problemOf(accept(code, B, { theirLimit: 1_000n }))).toBe('cancelled');
    expect([await living(nodes.node(A)), await living(nodes.node(B))]).toEqual([[], []]);
  });

  it('when it is one’s own', async () => {
    const { code } = await invite();
    expect(await peering(A).accepted.read(code)).toEqual({ ok: false, error: 'same_node' });
    expect(await problemOf(accept(code, A))).toBe('same_node');
  });

  it('when the node knows the currency with other decimal places', async () => {
    const { code } = await invite(A, { assetCode: 'USD', assetScale: 4 });
    expect(await peering(B).accepted.read(code)).toEqual({ ok: false, error: 'other_currency' });
    const other = await invite(A, { assetCode: 'CHF', assetScale: 2 });
    expect(await peering(B).accepted.read(other.code)).toMatchObject({ ok: true, value: { hasAccount: false } });
  });

  it('when no node answers there', async () => {
    const { code } = await invite();
    nodes.line.lose = () => 'request';
    expect(await peering(B).accepted.read(code)).toEqual({ ok: false, error: 'unreachable' });
  });

  it('when the two are peers in this currency already', async () => {
    await accept((await invite()).code);
    const { code } = await invite();
    expect(await problemOf(accept(code))).toBe('already_peers');
    await expectOnePair();
    const euro = await invite(A, { assetCode: 'EUR', assetScale: 2 });
    const accepted = await peering(B).accepted.accept({
      ...{ code: euro.code, creditLimit: 0n, terms: { assetCode: 'EUR', assetScale: 2, theirLimit: 5_000n }, name: 'A', introduction: 'B' },
    });
    expect(accepted.ok).toBe(true);
  });

  it('when each node accepts the other’s invitation at the same time: then one of the two counts', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [ofA, ofB] = [await invite(A), await invite(B)];
      // Both acceptances have begun before either arrives.
      let waiting = 0;
      let go: () => void = () => undefined;
      const together = new Promise<void>((resolve) => {
        go = resolve;
      });
      nodes.line.before = async ({ path }) => {
        if (!path.endsWith('/accept')) return;
        waiting += 1;
        if (waiting === 2) go();
        await together;
      };
      const outcomes = await Promise.all([problemOf(accept(ofA.code, B)), problemOf(accept(ofB.code, A))]);
      expect(outcomes).toEqual(['accepted', 'both_at_once']);
      nodes.line.before = async () => undefined;
      const { own, other } = await expectOnePair();
      await nodes.node(A).payments.peers.operator.registry.remove(own?.id ?? '');
      await nodes.node(B).payments.peers.operator.registry.remove(other?.id ?? '');
    }
  });
});

describe('a stranger', () => {
  const post = async (url: string, payload: object) => {
    const answer = await nodes.node(A).app.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload });
    return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
  };
  const acceptance = (code: string, origin: string, nonce = 'n'.repeat(43)) => {
    const read = nodes.passed.findLast(({ path }) => path.endsWith('/read'))?.body as { secret: string };
    return { code, secret: read.secret, nonce, origin, ...USD, creditLimit: '5000' };
  };

  it('who stole the code cannot accept it in the name of another node', async () => {
    const { code } = await invite();
    await peering(B).accepted.read(code);
    expect(await post('/ilp/invitations/accept', acceptance(code, B))).toMatchObject({ body: { outcome: 'not_called_back' } });
    expect(await living(nodes.node(A))).toEqual([]);
    expect(await problemOf(accept(code))).toBe('accepted');
  });

  it('who repeats a whole acceptance gets nothing and changes nothing', async () => {
    const { code } = await invite();
    await accept(code);
    const recorded = nodes.passed.find(({ path }) => path.endsWith('/accept'))?.body as object;
    const before = await living(nodes.node(A));
    nodes.passed.length = 0;
    expect(await post('/ilp/invitations/accept', recorded)).toEqual({ status: 200, body: { outcome: 'accepted' } });
    expect(await post('/ilp/invitations/accept', { ...recorded, nonce: 'x'.repeat(43) })).toMatchObject({ body: { outcome: 'used' } });
    expect(nodes.passed).toEqual([]);
    expect(await living(nodes.node(A))).toEqual(before);
    const called = { nonce: (recorded as { nonce: string }).nonce, ilpAddress: 'private.evil', token: 't'.repeat(43) };
    const confirmed = await nodes.node(B).app.inject({ method: 'POST', url: '/ilp/invitations/confirm', payload: called });
    expect(confirmed.statusCode).toBe(404);
  });

  it('learns nothing of codes, acceptances and tokens that do not exist', async () => {
    for (const [path, body] of [
      ['/ilp/invitations/read', { secret: 'a'.repeat(22) }],
      ['/ilp/invitations/accept', { ...acceptanceOf('a'.repeat(22)) }],
      ['/ilp/invitations/confirm', { nonce: 'a'.repeat(43), ilpAddress: 'private.evil', token: 't'.repeat(43) }],
    ] as const) {
      expect(await post(path, body)).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    }
    expect(await post('/ilp/peering', { ask: 'test' })).toMatchObject({ status: 401 });
  });
  const acceptanceOf = (secret: string) => ({ secret, nonce: 'n'.repeat(43), origin: B, ...USD, creditLimit: '5000' });

  it('cannot lead the packets of another peer away by the address it claims', async () => {
    const { registry } = nodes.node(A).payments.peers.operator;
    const { nodeAddress } = nodes.node(B).payments.peers.operator;
    for (const ilpAddress of [nodeAddress, `${nodeAddress}.x`, nodeAddress.split('.').slice(0, 2).join('.')]) {
      const id = randomUUID();
      await registry.add(newPeer({ id, ilpAddress, endpoint: 'https://honest.example/ilp' }));
      expect(await problemOf(accept((await invite()).code)), ilpAddress).toBe('address_taken');
      await registry.remove(id);
    }
    expect(await problemOf(accept((await invite()).code))).toBe('accepted');
  });

  it('pays for what it makes the node ask', async () => {
    const { code } = await invite();
    await peering(B).accepted.read(code);
    const statuses: number[] = [];
    for (let n = 0; n < 105; n += 1) statuses.push((await post('/ilp/invitations/accept', acceptance(code, C))).status);
    // One server is asked so often at once for strangers, and no more; see STRANGER_BUDGETS. On a busy computer the
    // budget of the processor may end sooner.
    const answered = statuses.filter((status) => status === 200).length;
    expect(answered).toBeGreaterThan(0);
    expect(answered).toBeLessThanOrEqual(100);
    expect(statuses.at(-1)).toBe(503);
    expect(nodes.passed.filter(({ path }) => path.endsWith('/confirm'))).toHaveLength(answered);
  });
});
