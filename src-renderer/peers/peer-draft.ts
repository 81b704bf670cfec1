import { type Asset, MAX_MOVED, toDecimal } from '../../src-shared/amounts.ts';
import { ILP_ADDRESS } from '../../src-shared/ilp-address.ts';
import type { Peer, PeerSettings } from '../../src-shared/operator-contract/peers.ts';
import { PEER_TOKEN } from '../../src-shared/peering/peer-token.ts';
import { typedAmount } from '../../src-shared/typed-input/typed-amount.ts';
import { plainNumberText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';

const words = messages.peers;

/** A peer as it is typed. */
export interface PeerDraft {
  name: string;
  ilpAddress: string;
  endpoint: string;
  outgoingToken: string;
  creditLimit: string;
  debtLimit: string;
  routes: string;
  maxPacket: string;
  deduplicates: boolean;
}

export const EMPTY_DRAFT: PeerDraft = {
  name: '',
  ilpAddress: '',
  endpoint: '',
  outgoingToken: '',
  creditLimit: '0',
  debtLimit: '',
  routes: '',
  maxPacket: '',
  deduplicates: false,
};

export const draftOf = (peer: Peer): PeerDraft => {
  const text = (value: bigint | null) => (value === null ? '' : plainNumberText(toDecimal(value, peer.assetScale)));
  return {
    name: peer.name,
    ilpAddress: peer.ilpAddress,
    endpoint: peer.endpoint,
    outgoingToken: '',
    creditLimit: text(peer.creditLimit),
    debtLimit: text(peer.debtLimit),
    routes: peer.routes.join('\n'),
    maxPacket: text(peer.maxPacketAmount),
    deduplicates: peer.deduplicates,
  };
};

export type Faults = Partial<Record<keyof PeerDraft, string>>;

/**
 * Reads a draft.
 * @param tokenNeeded whether a token must be typed. A peer that is edited keeps its old token when none is typed.
 */
export function readDraft(draft: PeerDraft, asset: Asset, tokenNeeded: boolean): { faults: Faults; settings: PeerSettings | undefined } {
  const routes = draft.routes.split(/\s+/).filter((route) => route !== '');
  const [creditLimit, debtLimit, maxPacketAmount] = [draft.creditLimit, draft.debtLimit, draft.maxPacket].map((text) => units(text, asset));
  const token = draft.outgoingToken.trim();
  const faults: Faults = {
    ...(draft.name.trim() === '' && { name: words.nameNeeded }),
    ...(!ILP_ADDRESS.test(draft.ilpAddress.trim()) && { ilpAddress: words.ilpAddressWrong }),
    ...(!/^https?:\/\/\S+$/.test(draft.endpoint.trim()) && { endpoint: words.endpointWrong }),
    ...((tokenNeeded || token !== '') && !PEER_TOKEN.test(token) && { outgoingToken: words.outgoingTokenWrong }),
    ...(typeof creditLimit !== 'bigint' && { creditLimit: words.limitNeeded }),
    ...(debtLimit === undefined && { debtLimit: words.limitNeeded }),
    ...((maxPacketAmount === undefined || maxPacketAmount === 0n) && { maxPacket: words.amountNeeded }),
    ...(routes.some((route) => !ILP_ADDRESS.test(route)) && { routes: words.routesWrong }),
  };
  if (Object.keys(faults).length > 0 || typeof creditLimit !== 'bigint') return { faults, settings: undefined };
  const { name, ilpAddress, endpoint, deduplicates } = draft;
  return {
    faults,
    settings: {
      name: name.trim(),
      ilpAddress: ilpAddress.trim(),
      endpoint: endpoint.trim(),
      routes,
      creditLimit,
      debtLimit: debtLimit ?? null,
      maxPacketAmount: maxPacketAmount ?? null,
      deduplicates,
    },
  };
}

/** The amount; null when nothing is typed, undefined when the text is no amount. */
function units(text: string, asset: Asset): bigint | null | undefined {
  if (text.trim() === '') return null;
  const value = typedAmount(text, asset);
  return value !== undefined && value <= MAX_MOVED ? value : undefined;
}
