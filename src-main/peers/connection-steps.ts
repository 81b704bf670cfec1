import { sameAsset } from '../../src-shared/amounts.ts';
import type { ConnectionStep, PeerSteps, PeerTest } from '../../src-shared/operator-contract/peers.ts';
import { assetAddress, isWithin, parseReceiverAddress } from '../ilp/ilp-address.ts';
import { ILDCP_ADDRESS } from './ildcp.ts';
import type { KnownPeer, PeerDirectory } from './peer-directory.ts';
import type { Sighting } from './peer-sightings.ts';

interface Parts {
  directory: Pick<PeerDirectory, 'otherAssetsOf'>;
  nodeAddress: string;
}

/** What is known of a peer. This process saw the one, and the database has the other from any process and any start. */
interface Known {
  readonly sighting: Sighting;
  /**
   * The last time that the peer brought money, in milliseconds since 1970, to within a minute. It is null when it never
   * did.
   */
  readonly broughtAt: number | null;
}

/**
 * Says how far the connection with a peer has come, step by step.
 * @param tested what came of a packet without money to the peer.
 */
export function connectionSteps(peer: KnownPeer, tested: PeerTest, { sighting, broughtAt }: Known, parts: Parts): PeerSteps {
  const { lastPacket } = sighting;
  const arrivals = [lastPacket?.at ?? null, broughtAt].filter((at) => at !== null);
  const arrivedAt = arrivals.length === 0 ? null : new Date(Math.max(...arrivals));
  return {
    steps: [
      ...stepsThere(tested),
      { step: 'arrived', state: arrivedAt === null ? 'unknown' : 'good' },
      addressStep(peer, lastPacket, parts),
    ],
    test: tested,
    arrivedAt,
  };
}

/** The steps of a packet to the peer. The first that is missing is named by the test. */
function stepsThere({ outcome, finding }: PeerTest): ConnectionStep[] {
  const states = (url: ConnectionStep['state'], token: ConnectionStep['state'], probe: ConnectionStep['state']): ConnectionStep[] => [
    { step: 'url', state: url },
    { step: 'token', state: token },
    { step: 'probe', state: probe },
  ];
  if (outcome === 'good' || outcome === 'careful') return states('good', 'good', 'good');
  switch (finding) {
    case 'no_token':
      return states('not_tried', 'missing', 'not_tried');
    case 'unauthorized':
      return states('good', 'missing', 'not_tried');
    case 'failed':
    case 'clock_differs':
    case 'takes_nothing':
    case 'other_currency':
      return states('good', 'good', 'missing');
    default:
      return states('missing', 'not_tried', 'not_tried');
  }
}

/**
 * Whether the peer sends to the address of its currency. Software of another make has a peer for each currency, and
 * each has to have the address of its own.
 */
function addressStep(peer: KnownPeer, lastPacket: Sighting['lastPacket'], { directory, nodeAddress }: Parts): ConnectionStep {
  // A question for the currency of the account, and a probe, say nothing about the address that the peer has stored.
  if (lastPacket === null || lastPacket.destination === ILDCP_ADDRESS) return { step: 'address', state: 'unknown' };
  const { destination } = lastPacket;
  if (!isWithin(nodeAddress, destination)) return { step: 'address', state: 'missing', problem: 'not_of_this_node' };
  if (isWithin(assetAddress(nodeAddress, peer.asset), destination)) return { step: 'address', state: 'good' };
  const asset = parseReceiverAddress(nodeAddress, destination)?.asset;
  if (asset === undefined) return { step: 'address', state: 'unknown' };
  const isOfAnother = directory.otherAssetsOf(peer).some((other) => sameAsset(other, asset));
  return isOfAnother ? { step: 'address', state: 'missing', problem: 'of_another_currency' } : { step: 'address', state: 'good' };
}
