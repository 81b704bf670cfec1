import { AcceptedInvitations } from '../peers/invitations/accepted-invitations.ts';
import { GivenInvitations } from '../peers/invitations/given-invitations.ts';
import type { OperatorPeers } from '../peers/operator-peers.ts';
import type { PeerDirectory } from '../peers/peer-directory.ts';
import { FirstTokens } from '../peers/peer-tokens.ts';
import { Peering } from '../peers/peering.ts';
import { PeeringWorker } from '../peers/peering-worker.ts';
import { TokenRenewals } from '../peers/renewals/token-renewals.ts';
import type { Core } from '../platform/core.ts';
import type { OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import type { OwnReplica } from '../platform/replicas/own-replica.ts';
import type { NodeSecrets } from '../platform/secrets/node-secrets.ts';
import { Seal } from '../platform/secrets/seal.ts';
import type { WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';

interface Parts extends Core {
  secrets: NodeSecrets;
  http: OutboundHttp;
  directory: PeerDirectory;
  operator: OperatorPeers;
  nodeAddress: string;
  walletAddresses: WalletAddresses;
  replica: Pick<OwnReplica, 'doesChores'>;
}

/** Wires what two nodes of this kind say to each other beside the packets. It does not start the worker. */
export function assemblePeering({ secrets, replica, operator, walletAddresses, ...parts }: Parts) {
  const seal = new Seal(secrets.derive('peer-tokens'));
  const common = { ...parts, secrets, seal, firstTokens: new FirstTokens(secrets) };
  const given = new GivenInvitations(common);
  const accepted = new AcceptedInvitations({ ...common, accountScales: (assetCode) => walletAddresses.scalesOf(assetCode) });
  const renewals = new TokenRenewals(common);
  const peering = new Peering({ ...common, given, accepted, renewals, operator });
  const worker = new PeeringWorker({ ...parts, accepted, renewals, isMine: () => replica.doesChores });
  return { peering, worker };
}
