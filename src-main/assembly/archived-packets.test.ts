import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserializeIlpReply, isReject } from 'ilp-packet';
import { StreamMoneyFrame } from 'ilp-protocol-stream/dist/src/packet.js';
import { expect, it } from 'vitest';
import { craft } from '../ilp/testing/network.ts';
import { ledgerTransfers } from '../ledger/tables.ts';
import { brokenInvariants } from '../ledger/testing/invariants.ts';
import { receivedPackets } from '../peers/tables.ts';
import { newPeer } from '../peers/testing/peers.ts';
import { Archive } from '../platform/archive/archive.ts';
import { createLogger } from '../platform/logs/logger.ts';
import { Retention } from '../platform/retention/retention.ts';
import { DAY_MS } from '../platform/retention/rule.ts';
import { rulesKeeping } from './retention.ts';
import { openTestNode } from './testing/test-node.ts';

it('a packet of a peer that comes again after it was archived moves no money, with its old or a new end', async () => {
  const node = await openTestNode();
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-archive-'));
  try {
    const added = await node.payments.peers.operator.registry.add(newPeer({ id: randomUUID(), ilpAddress: 'g.peer', creditLimit: 1_000n }));
    const usd = { assetCode: 'USD', assetScale: 2 };
    const made = await node.payments.incomingPayments.create({
      walletAddress: node.accounts.carol,
      client: 'app',
      incomingAmount: { value: 300n, ...usd },
    });
    if (!added.ok || !made.ok) throw new Error('not made');
    const to = await node.payments.credentials(made.value.id, usd);
    const packet = (expiresAt: Date) => craft(to, { frames: [new StreamMoneyFrame(1, 1)], amount: '300', changes: { expiresAt } });
    const first = await packet(new Date(node.clock.now() + 30_000));
    const hand = async (payload: Buffer) => {
      const headers = { authorization: `Bearer ${added.value.incomingToken}`, 'content-type': 'application/octet-stream' };
      const reply = deserializeIlpReply((await node.app.inject({ method: 'POST', url: '/ilp', headers, payload })).rawPayload);
      return isReject(reply) ? reply.code : 'fulfil';
    };
    expect(await hand(first)).toBe('fulfil');
    const transfers = async () => (await node.database.read.select().from(ledgerTransfers)).length;
    const before = await transfers();
    // An event more, because the newest of all stays.
    await node.payments.incomingPayments.create({ walletAddress: node.accounts.carol, client: null });

    const rules = rulesKeeping(new Archive({ database: node.database, folder }), { keepDays: 30, archiveDays: 32 });
    const look = () => new Retention({ ...node, log: createLogger('silent'), rules, pause: async () => undefined }).runOnce();
    const stored = async () => (await node.database.read.select().from(receivedPackets)).length;
    // A peer asks for 30 days, and its clock may differ by a day.
    node.clock.advance(31 * DAY_MS);
    await look();
    expect([await hand(first), await stored()]).toEqual(['fulfil', 1]);
    node.clock.advance(2 * DAY_MS);
    await look();
    expect(await stored()).toBe(0);

    expect(await hand(first)).toBe('R00');
    const renewed = await packet(new Date(node.clock.now() + 30_000));
    expect(await hand(renewed)).toBe('F02');
    expect(await transfers()).toBe(before);
    expect(await brokenInvariants(node.database.read)).toEqual([]);
  } finally {
    await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
