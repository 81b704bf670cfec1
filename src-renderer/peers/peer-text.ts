import type { Peer } from '../../src-shared/operator-contract/peers.ts';
import { amountText } from '../../src-shared/words/amount-text.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import type { Tone } from '../components/page/status.tsx';

const words = messages.peers;

/** Says who owes whom how much. */
export function positionText({ position, ...asset }: Pick<Peer, 'position' | 'assetCode' | 'assetScale'>): string {
  if (position === 0n) return words.even;
  const amount = amountText({ ...asset, value: position < 0n ? -position : position });
  return position > 0n ? words.youOwe({ amount }) : words.theyOwe({ amount });
}

/** The state of a peer and, when it is active, whether it answers. */
export function peerState({ state, lastProblem }: Peer): { tone: Tone; text: string } {
  if (state === 'active' && lastProblem !== null) return { tone: 'warning', text: words.unreachable };
  return { tone: state === 'active' ? 'good' : 'idle', text: words.states[state] };
}
