import { type Asset, assetKey } from '../../../src-shared/amounts.ts';
import type { client } from '../../transport/operator-client.ts';

type Self = Awaited<ReturnType<typeof client.peers.self>>;

/** The two tokens between this node and a peer, as they are when they are made. They are shown once. */
export interface Tokens {
  /** The token that this node sends. */
  readonly ours: string;
  /** The token that the peer sends. */
  readonly theirs: string;
}

/** Asks Rafiki for the ids of its currencies. */
export const ASSETS_CALL = 'query { assets(first: 100) { edges { node { id code scale } } } }';

/** Makes a currency at Rafiki that it does not have. */
export const assetCall = ({ assetCode, assetScale }: Asset): string =>
  `mutation { createAsset(input: { code: ${JSON.stringify(assetCode)}, scale: ${assetScale} }) { asset { id } } }`;

/** Makes the peer at Rafiki, with the variables of {@link peerVariables}. */
export const PEER_CALL = 'mutation ($input: CreatePeerInput!) { createPeer(input: $input) { peer { id } } }';

interface PeerAtRafiki extends Asset {
  readonly assetId: string;
  readonly name: string;
  readonly self: Self;
  readonly tokens: Tokens;
  /** Whether Rafiki has another peer for this node, to which everything leads that belongs to no currency. */
  readonly isFurther: boolean;
  /** What Rafiki lets this node owe it, in smallest units; null for no limit. */
  readonly debtLimit: bigint | null;
  readonly maxPacketAmount: bigint | null;
}

/** The variables of {@link PEER_CALL}, as JSON (docs/peering.md). */
export function peerVariables(peer: PeerAtRafiki): string {
  const { assetId, name, self, tokens, isFurther, debtLimit, maxPacketAmount } = peer;
  const own = self.addresses.find((address) => assetKey(address) === assetKey(peer));
  const input = {
    assetId,
    name,
    staticIlpAddress: own?.ilpAddress ?? self.ilpAddress,
    ...(!isFurther && { routes: [self.ilpAddress] }),
    ...(maxPacketAmount !== null && { maxPacketAmount: maxPacketAmount.toString() }),
    http: {
      incoming: { authTokens: [tokens.ours] },
      outgoing: { endpoint: self.endpoint, authToken: tokens.theirs },
    },
    ...(debtLimit !== null && { initialLiquidity: debtLimit.toString() }),
  };
  return JSON.stringify({ input }, undefined, 2);
}

/** Makes a token that no one can guess: 32 random bytes, as hexadecimal digits. */
export const newToken = (): string =>
  [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
