import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import type { OutboundBytes, OutboundHttp } from '../../platform/outbound-http/outbound-http.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { refuse } from '../../platform/result.ts';
import type { NodeSecrets } from '../../platform/secrets/node-secrets.ts';
import { Seal } from '../../platform/secrets/seal.ts';
import { HttpPeerLinks } from '../http-peer-links.ts';
import { AcceptedInvitations } from '../invitations/accepted-invitations.ts';
import { GivenInvitations } from '../invitations/given-invitations.ts';
import { OperatorPeers } from '../operator-peers.ts';
import { PeerDirectory } from '../peer-directory.ts';
import { type NewPeer, PeerRegistry } from '../peer-registry.ts';
import { PeerSightings } from '../peer-sightings.ts';
import { FirstTokens } from '../peer-tokens.ts';
import { Peering } from '../peering.ts';
import { TokenRenewals } from '../renewals/token-renewals.ts';

const NODE_ADDRESS = 'private.test';

const secrets: NodeSecrets = {
  stream: Buffer.alloc(32, 1),
  derive: (purpose) => createHash('sha256').update(`test ${purpose}`).digest(),
};
const nobody: OutboundBytes = { postBytes: async () => refuse({ problem: 'unreachable', sent: false }), mayAsk: () => true };
const noOther: OutboundHttp = {
  getJson: async () => refuse('unreachable'),
  requestJson: async () => refuse('unreachable'),
  close: () => undefined,
};

/** The peers wing over a real database. `http` reaches nobody unless told otherwise. */
export function openTestPeers({ database, clock, http = nobody }: { database: Database; clock: Clock; http?: OutboundBytes }) {
  const log = createLogger('silent');
  const seal = new Seal(secrets.derive('peer-tokens'));
  const directory = new PeerDirectory({ database, clock, seal, nodeAddress: NODE_ADDRESS });
  const sightings = new PeerSightings(clock);
  const links = new HttpPeerLinks({ directory, sightings, http, clock, log });
  const registry = new PeerRegistry({
    ...{ database, clock, seal, directory, http },
    firstTokens: new FirstTokens(secrets),
    nodeAddress: NODE_ADDRESS,
  });
  const operator = new OperatorPeers({ database, clock, registry, directory, links, sightings, nodeAddress: NODE_ADDRESS });
  const parts = {
    ...{ database, clock, log, secrets, seal, firstTokens: new FirstTokens(secrets), directory, http: noOther, operator },
    ...{ nodeAddress: NODE_ADDRESS, urls: new PublicUrls('https://node.example') },
  };
  const given = new GivenInvitations(parts);
  const peering = new Peering({
    ...parts,
    given,
    accepted: new AcceptedInvitations({ ...parts, accountScales: async () => [] }),
    renewals: new TokenRenewals(parts),
  });
  return { directory, sightings, links, registry, operator, peering };
}

/** A peer with nothing special about it but what `changes` say. */
export const newPeer = (changes: Partial<NewPeer> & { id: string }): NewPeer => ({
  name: 'Bakery',
  assetCode: 'USD',
  assetScale: 2,
  ilpAddress: 'g.bakery',
  routes: [],
  endpoint: 'https://bakery.example/ilp',
  creditLimit: 0n,
  debtLimit: null,
  maxPacketAmount: null,
  deduplicates: true,
  outgoingToken: 'the-token-it-wants',
  ...changes,
});
