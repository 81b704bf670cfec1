import { expect, it } from 'vitest';
import type { LinkProblemKind } from '../../src-shared/link-problems.ts';
import type { PeerTest } from '../../src-shared/operator-contract/peers.ts';
import { connectionSteps } from './connection-steps.ts';
import type { KnownPeer } from './peer-directory.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const EUR = { assetCode: 'EUR', assetScale: 2 };
const NODE = 'private.node';
const GOOD: PeerTest = { outcome: 'good', finding: 'accepted', milliseconds: 1 };
const RECEIVER = 'AAAA';
const peer: KnownPeer = {
  ...{ id: 'peer', name: 'Rafiki', state: 'active', ...USD, asset: USD, ilpAddress: 'test.rafiki', routes: [] },
  ...{ endpoint: 'https://rafiki.example/', outgoingToken: '', incomingTokenHash: '', token: 'token', formerIds: [] },
  ...{ debtLimit: null, inFlight: 0n, maxPacketAmount: null, deduplicates: false, lastBroughtAt: null, createdAt: 0, updatedAt: 0 },
};

interface Case {
  test?: PeerTest;
  destination?: string;
  broughtAt?: number;
}
const look = ({ test = GOOD, destination, broughtAt = Number.NaN }: Case, others = [EUR]) => {
  const lastPacket = destination === undefined ? null : { at: 5, destination };
  const sighting = { lastSeenAt: null, lastProblem: null, lastPacket };
  const known = { sighting, broughtAt: Number.isNaN(broughtAt) ? null : broughtAt };
  const { steps, arrivedAt } = connectionSteps(peer, test, known, { directory: { otherAssetsOf: () => others }, nodeAddress: NODE });
  return { ...Object.fromEntries(steps.map(({ step, state, problem }) => [step, problem ?? state])), arrivedAt };
};
const failed = (outcome: PeerTest['outcome'], finding: LinkProblemKind | 'clock_differs' | 'takes_nothing'): PeerTest => ({
  ...{ outcome, finding, milliseconds: 1 },
});

it.each([
  [GOOD, { url: 'good', token: 'good', probe: 'good' }],
  [failed('unreachable', 'unreachable'), { url: 'missing', token: 'not_tried', probe: 'not_tried' }],
  [failed('refused', 'no_ilp'), { url: 'missing', token: 'not_tried', probe: 'not_tried' }],
  [failed('refused', 'unauthorized'), { url: 'good', token: 'missing', probe: 'not_tried' }],
  [failed('unreachable', 'no_token'), { url: 'not_tried', token: 'missing', probe: 'not_tried' }],
  [failed('refused', 'takes_nothing'), { url: 'good', token: 'good', probe: 'missing' }],
  [failed('refused', 'failed'), { url: 'good', token: 'good', probe: 'missing' }],
] as const)('of the steps to a peer the first is missing that %j speaks of', (test, steps) => {
  expect(look({ test })).toMatchObject({ ...steps, arrived: 'unknown', address: 'unknown', arrivedAt: null });
});

it.each([
  [`${NODE}.USD-2.${RECEIVER}`, 'good'],
  [`${NODE}.EUR-2.${RECEIVER}`, 'of_another_currency'],
  [`${NODE}.JPY-0.${RECEIVER}`, 'good'],
  ['private.nodes.USD-2.AAAA', 'not_of_this_node'],
  [`${NODE}.probe`, 'unknown'],
  ['peer.config', 'unknown'],
])('a packet of the peer for %s shows that its address of this node is: %s', (destination, address) => {
  expect(look({ destination })).toMatchObject({ arrived: 'good', address, arrivedAt: new Date(5) });
});

it('a packet for another currency is right where the peer has one account for all', () => {
  expect(look({ destination: `${NODE}.EUR-2.${RECEIVER}` }, [])).toMatchObject({ address: 'good' });
});

it('money that the peer brought to another replica, or before a start, has arrived', () => {
  expect(look({ broughtAt: 3 })).toMatchObject({ arrived: 'good', address: 'unknown', arrivedAt: new Date(3) });
  expect(look({ destination: `${NODE}.probe`, broughtAt: 9 })).toMatchObject({ arrived: 'good', arrivedAt: new Date(9) });
});
