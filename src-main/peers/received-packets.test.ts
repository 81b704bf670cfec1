import { afterEach, beforeEach, expect, it } from 'vitest';
import { ManualClock } from '../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../platform/database/testing/test-database.ts';
import { formerReply, type PacketKey, storeRejected } from './received-packets.ts';
import { receivedPackets } from './tables.ts';
import { newPeer, openTestPeers } from './testing/peers.ts';

const [ONE, OTHER, REMOVED] = ['1', '2', '3'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [string, string, string];

let test: TestDatabase;
beforeEach(async () => {
  test = openTestDatabase();
  const { registry } = openTestPeers({ database: test.database, clock: new ManualClock(0) });
  for (const id of [ONE, OTHER, REMOVED])
    expect(await registry.add(newPeer({ id, ilpAddress: `g.p${id[0]}` }))).toMatchObject({ ok: true });
});
afterEach(() => test.dispose());

const key = (peerId: string, condition = 'a', formerPeerIds: string[] = []): PacketKey => ({ peerId, formerPeerIds, condition });
const reject = async (wanted: PacketKey, words: string) => (await storeRejected(test.database, wanted, Buffer.from(words), 1)).toString();
const former = async (wanted: PacketKey) => (await formerReply(test.database.read, wanted))?.toString();

it('a packet gets the answer that it got before, and no other packet gets it', async () => {
  expect(await reject(key(ONE), 'too late')).toBe('too late');
  expect(await former(key(ONE))).toBe('too late');
  expect([await former(key(ONE, 'b')), await former(key(OTHER))]).toEqual([undefined, undefined]);
});

it('a packet that is rejected twice at the same moment is answered alike', async () => {
  expect(await Promise.all(['no credit', 'too late'].map((words) => reject(key(ONE), words)))).toEqual(['no credit', 'no credit']);
  expect(await test.database.read.select().from(receivedPackets)).toMatchObject([{ peerId: ONE, condition: 'a', amount: 0n }]);
});

it('a peer that was removed and added again gets the answers that it got before', async () => {
  await reject(key(REMOVED), 'too late');
  expect(await former(key(OTHER, 'a', [REMOVED]))).toBe('too late');
  expect(await reject(key(OTHER, 'a', [REMOVED]), 'no credit')).toBe('too late');
});
