import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_MOVED } from '../../src-shared/amounts.ts';
import { events } from '../journal/tables.ts';
import { accountId, transfer } from '../ledger/ledger.ts';
import { ledgerAccounts } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { ManualClock } from '../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { Seal } from '../platform/secrets/seal.ts';
import { advance, converted, runOf } from './peer-conversion.ts';
import { PeerDirectory } from './peer-directory.ts';
import type { NewPeer } from './peer-registry.ts';
import { hashToken } from './peer-tokens.ts';
import { formerReply, KEPT_MS, REPEATABLE_MS, storeRejected } from './received-packets.ts';
import { peerAnswerRule } from './retention.ts';
import { peers as peersTable, receivedPackets } from './tables.ts';
import { newPeer, openTestPeers } from './testing/peers.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };
let test: TestDatabase;
let clock: ManualClock;
let peers: ReturnType<typeof openTestPeers>;
beforeEach(() => {
  test = openTestDatabase();
  clock = new ManualClock(Date.UTC(2026, 0, 1));
  peers = openTestPeers({ database: test.database, clock });
});
afterEach(() => test.dispose());

const add = async (changes: Partial<NewPeer> = {}) => {
  const id = changes.id ?? randomUUID();
  // Peers are ordered by their age.
  clock.advance(1);
  const added = await peers.registry.add(newPeer({ id, ...changes }));
  if (!added.ok) throw new Error(added.error);
  return added.value;
};
const told = async () => (await test.database.read.select().from(events)).map(({ type, body }) => ({ type, ...body }));

describe('the operator’s book of peers', () => {
  it('keeps a peer with its account, its token as a hash and the other one sealed', async () => {
    const { row, incomingToken } = await add({ creditLimit: 500n, outgoingToken: 'a-token-of-theirs-0' });
    const [stored] = await test.database.read.select().from(peersTable);
    expect(JSON.stringify(stored, (_, value) => String(value))).not.toContain(incomingToken);
    expect(stored?.outgoingToken).not.toContain('a-token-of-theirs-0');
    expect(peers.directory.byId(row.id)?.token).toBe('a-token-of-theirs-0');
    const accounts = await test.database.read.select().from(ledgerAccounts);
    expect(accounts.map(({ id, overdraft }) => [id, overdraft]).sort()).toEqual([
      ['exchange:USD/2', 0n],
      ['external:USD/2', 0n],
      [`peer:${row.id}`, 500n],
    ]);
    expect(JSON.stringify(await told())).not.toMatch(new RegExp(`${incomingToken}|a-token-of-theirs-0`));
  });

  it('is read again for a token that another replica has stored, and not more often than once a second', async () => {
    const seal = new Seal(Buffer.alloc(32, 7));
    const parts = { database: test.database, clock, seal, nodeAddress: 'private.test' };
    const [beside, alone] = [new PeerDirectory({ ...parts, hasOthers: () => true }), new PeerDirectory(parts)];
    const { row } = await add();
    expect(beside.byTokenHash(row.incomingTokenHash)).toBeUndefined();
    expect((await beside.findByTokenHash(row.incomingTokenHash))?.id).toBe(row.id);
    expect(await alone.findByTokenHash(row.incomingTokenHash)).toBeUndefined();
    const second = (await add({ ilpAddress: 'g.second' })).row;
    expect(await beside.findByTokenHash(second.incomingTokenHash)).toBeUndefined();
    clock.advance(1_000);
    expect((await beside.findByTokenHash(second.incomingTokenHash))?.id).toBe(second.id);
  });

  it('knows a peer by the whole hash of its token and nothing that is like it', async () => {
    const { row, incomingToken } = await add();
    const digest = createHash('sha256').update(incomingToken).digest('base64url');
    expect(row.incomingTokenHash).toBe(digest);
    expect(peers.directory.byTokenHash(digest)?.id).toBe(row.id);
    const other = digest.endsWith('A') ? 'B' : 'A';
    const alike = [
      incomingToken,
      '',
      digest.slice(0, -1),
      `${digest.slice(0, -1)}${other}`,
      `${digest}=`,
      `${digest}A`,
      digest.toUpperCase(),
    ];
    for (const text of alike) expect(peers.directory.byTokenHash(text)).toBeUndefined();
  });

  it('adds a peer once, and tells its token again when the same is asked again', async () => {
    const id = randomUUID();
    const first = await add({ id });
    expect(await add({ id })).toMatchObject({ incomingToken: first.incomingToken });
    expect((await peers.registry.list({ limit: 9 })).peers).toHaveLength(1);
    expect((await told()).map(({ type }) => type)).toEqual(['peer.added']);
    await peers.registry.renewToken(id);
    expect(await peers.registry.add(newPeer({ id }))).toEqual({ ok: false, error: 'added_before' });
  });

  it('refuses what would mislead', async () => {
    await add({ incomingToken: 'a-token-for-one-peer' });
    const adding = (changes: Partial<NewPeer>) => peers.registry.add(newPeer({ id: randomUUID(), ilpAddress: 'g.new', ...changes }));
    expect(await adding({ ilpAddress: 'g.bakery' })).toEqual({ ok: false, error: 'address_taken' });
    expect(await adding({ ilpAddress: 'g.bakery', ...EUR })).toMatchObject({ ok: true });
    expect(await adding({ incomingToken: 'a-token-for-one-peer' })).toEqual({ ok: false, error: 'token_taken' });
    expect(await adding({ ilpAddress: 'private.test' })).toEqual({ ok: false, error: 'own_address' });
    expect(await adding({ routes: ['private.test.USD-2'] })).toEqual({ ok: false, error: 'own_address' });
    const strict = openTestPeers({ database: test.database, clock, http: { postBytes: () => Promise.reject(), mayAsk: () => false } });
    expect(await strict.registry.add(newPeer({ id: randomUUID(), ilpAddress: 'g.x' }))).toEqual({ ok: false, error: 'invalid_endpoint' });
  });

  it('changes what is given, and the event says what changed without the token', async () => {
    const { row } = await add();
    const edited = await peers.registry.edit(row.id, { routes: ['g.far'], creditLimit: 70n, outgoingToken: 'another-of-theirs' });
    expect(edited).toMatchObject({ ok: true, value: { creditLimit: 70n, row: { name: 'Bakery', routes: ['g.far'] } } });
    expect(peers.directory.byId(row.id)).toMatchObject({ token: 'another-of-theirs', routes: ['g.far'], endpoint: row.endpoint });
    expect((await told()).at(-1)).toEqual({
      ...{ type: 'peer.changed', name: 'Bakery', routes: 'g.far', creditLimit: '70', outgoingToken: 'changed' },
    });
    expect(await peers.registry.edit(randomUUID(), {})).toEqual({ ok: false, error: 'not_found' });
  });

  it('is read by a node that starts anew', async () => {
    const { row, incomingToken } = await add();
    const restarted = openTestPeers({ database: test.database, clock });
    await restarted.directory.reload();
    expect(restarted.directory.byTokenHash(hashToken(incomingToken))?.id).toBe(row.id);
    expect(restarted.directory.byId(row.id)?.token).toBe('the-token-it-wants');
  });

  it('removes only a peer that owes nothing and is owed nothing', async () => {
    const { row } = await add({ creditLimit: 10n });
    const owing = { id: randomUUID(), peerId: row.id, direction: 'paid' as const, amount: 4n, note: '' };
    await peers.operator.settle(owing);
    expect(await peers.registry.remove(row.id)).toEqual({ ok: false, error: 'not_settled' });
    await peers.operator.settle({ ...owing, id: randomUUID(), direction: 'received' });
    expect(await peers.registry.remove(row.id)).toMatchObject({ ok: true, value: { row: { state: 'removed' } } });
    expect([peers.directory.byId(row.id), (await peers.registry.list({ limit: 9 })).peers]).toEqual([undefined, []]);
    expect(await peers.registry.setState(row.id, 'active')).toEqual({ ok: false, error: 'not_found' });
    // A packet of the peer that is being taken at this moment finds no credit.
    const last = { kind: 'settlement' as const, debit: accountId('peer', row.id), credit: 'external:USD/2', amount: 1n, at: 0 };
    expect(await test.database.write((tx) => transfer(tx, last))).toEqual({ ok: false, error: 'insufficient' });
    // The peer's address is free again.
    await add();
  });

  it('records settlements once, within the credit limit and what the books can hold', async () => {
    const { row } = await add({ creditLimit: 10n });
    const settle = (direction: 'received' | 'paid', amount: bigint, id = randomUUID()) =>
      peers.operator.settle({ id, peerId: row.id, direction, amount, note: 'bank' });
    const id = randomUUID();
    for (let i = 0; i < 3; i += 1) expect(await settle('received', 25n, id)).toMatchObject({ ok: true, value: { position: 25n } });
    expect(await settle('paid', 36n)).toEqual({ ok: false, error: 'past_credit' });
    expect(await settle('paid', 35n)).toMatchObject({ ok: true, value: { position: -10n } });
    expect(await settle('received', MAX_MOVED)).toMatchObject({ ok: true });
    expect(await settle('received', 20n)).toEqual({ ok: false, error: 'too_large' });
    expect((await told()).filter(({ type }) => type === 'peer.settled')).toHaveLength(3);
    expect(await brokenInvariants(test.database.read)).toEqual([]);
  });
});

describe('the way to an address', () => {
  it('goes by the longest prefix of whole segments, and then by the preferred currency', async () => {
    const [near, far, euro] = [
      await add({ ilpAddress: 'g.a' }),
      await add({ ilpAddress: 'g.b', routes: ['g.a.c', 'g'] }),
      await add({ ilpAddress: 'g.a', ...EUR }),
    ];
    const find = (to: string, ...prefer: (typeof USD)[]) => {
      const route = peers.directory.find(to, prefer);
      return route && [route.peerId, route.direct];
    };
    expect(find('g.a.x', USD)).toEqual([near.row.id, true]);
    expect(find('g.a.x', EUR, USD)).toEqual([euro.row.id, true]);
    expect(find('g.a', USD)).toEqual([near.row.id, true]);
    expect(find('g.a.x')).toEqual([near.row.id, true]);
    expect(find('g.a.c.x', EUR)).toEqual([far.row.id, false]);
    expect(find('g.ab', USD)).toEqual([far.row.id, false]);
    expect(find('g.b.x', EUR)).toEqual([far.row.id, true]);
    expect(find('private.test.x', USD)).toBeUndefined();
  });

  it('leads to no peer that is paused', async () => {
    const { row } = await add({ ilpAddress: 'g.a' });
    await peers.registry.setState(row.id, 'paused');
    expect(peers.directory.find('g.a.x', [USD])).toBeUndefined();
    await peers.registry.setState(row.id, 'active');
    expect(peers.directory.find('g.a.x', [USD])?.peerId).toBe(row.id);
  });
});

describe('answers to packets', () => {
  const removeSome = () => peerAnswerRule.removeSome(test.database, clock.now() - peerAnswerRule.keptMs, undefined);

  it('are kept for longer than any peer asks for them, whatever its clock says', async () => {
    const { row } = await add();
    const key = { peerId: row.id, formerPeerIds: [], condition: randomUUID() };
    await storeRejected(test.database, key, Buffer.from('no'), clock.now());
    clock.advance(REPEATABLE_MS + 60 * 60_000);
    await removeSome();
    expect(await formerReply(test.database.read, key)).toEqual(Buffer.from('no'));
  });

  it('are deleted after that, in parts', async () => {
    const { row } = await add();
    const note = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          storeRejected(test.database, { peerId: row.id, formerPeerIds: [], condition: randomUUID() }, Buffer.from('no'), clock.now()),
        ),
      );
    await note(110);
    const rest = converted(1n, { numerator: 1n, denominator: 3n }, undefined);
    await test.database.write((tx) => advance(tx, { peerId: row.id, incomingPaymentId: 'a' }, rest, clock.now()));
    clock.advance(KEPT_MS);
    await note(3);
    expect(await removeSome()).toMatchObject({ removed: 0, more: false });
    clock.advance(1);
    expect(await removeSome()).toMatchObject({ removed: 100, more: true });
    expect(await removeSome()).toMatchObject({ removed: 11, more: false });
    expect(await test.database.read.select().from(receivedPackets)).toHaveLength(3);
    expect(await runOf(test.database.read, { peerId: row.id, incomingPaymentId: 'a' })).toBeUndefined();
  });
});
