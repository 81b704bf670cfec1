import { HttpPeerLinks } from '../peers/http-peer-links.ts';
import { OperatorPeers } from '../peers/operator-peers.ts';
import { PeerDirectory } from '../peers/peer-directory.ts';
import { PeerRegistry } from '../peers/peer-registry.ts';
import { PeerSightings } from '../peers/peer-sightings.ts';
import { FirstTokens } from '../peers/peer-tokens.ts';
import type { Core } from '../platform/core.ts';
import type { OutboundBytes } from '../platform/outbound-http/outbound-http.ts';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';

interface Parts extends Pick<Core, 'database' | 'clock' | 'log'> {
  secrets: NodeSecrets;
  http: OutboundBytes;
  nodeAddress: string;
  /** Whether other processes run the same node. */
  hasOthers: () => boolean;
}

/** Wires the directory of the peers and the links to them. The directory is empty until `directory.reload()`. */
export function assemblePeers({ database, clock, log, secrets, http, nodeAddress, hasOthers }: Parts) {
  const seal = new Seal(secrets.derive('peer-tokens'));
  const directory = new PeerDirectory({ database, clock, seal, nodeAddress, hasOthers });
  const sightings = new PeerSightings(clock);
  const links = new HttpPeerLinks({ directory, sightings, http, clock, log });
  const registry = new PeerRegistry({ database, clock, seal, firstTokens: new FirstTokens(secrets), directory, http, nodeAddress });
  const operator = new OperatorPeers({ database, clock, registry, directory, links, sightings, nodeAddress });
  return { directory, sightings, links, operator };
}
