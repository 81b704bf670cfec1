import type { Grant, Token } from '../../src-shared/operator-contract/apps.ts';
import { messages } from '../../src-shared/words/console/messages.ts';
import { Status, type Tone } from '../components/page/status.tsx';

const GRANT_TONES: Record<Grant['state'], Tone> = {
  pending: 'warning',
  approved: 'good',
  issued: 'good',
  denied: 'idle',
  lapsed: 'idle',
  revoked: 'idle',
  expired: 'idle',
  frozen: 'warning',
};

const TOKEN_TONES: Record<Token['state'], Tone> = { active: 'good', expired: 'warning', rotated: 'idle', revoked: 'idle' };

/** Whether a grant can still be used, now or after its app has fetched it. */
export const isLiving = ({ state }: Pick<Grant, 'state'>): boolean =>
  state === 'pending' || state === 'approved' || state === 'issued' || state === 'frozen';

/**
 * How far a grant has come: `asked` while nobody has decided, `allowed` while it can be used, `ended` afterwards, and
 * `refused` when it never was allowed. A revoked request has no decision.
 */
export function stageOf({ state, decidedAt }: Pick<Grant, 'state' | 'decidedAt'>): keyof typeof messages.apps.stages {
  if (state === 'pending') return 'asked';
  if (state === 'approved' || state === 'issued' || state === 'frozen') return 'allowed';
  return state === 'expired' || (state === 'revoked' && decidedAt !== null) ? 'ended' : 'refused';
}

export const GrantState = ({ state }: Pick<Grant, 'state'>) => (
  <Status tone={GRANT_TONES[state]}>{messages.apps.grantStates[state]}</Status>
);

/**
 * Shows the state of a token. A token whose value the operator has ended waits for its app, whatever its state was
 * before.
 */
export function TokenState({ token: { state, awaitsRotation } }: { token: Token }) {
  if (awaitsRotation && (state === 'active' || state === 'expired')) return <Status tone="warning">{messages.apps.notFetched}</Status>;
  return <Status tone={TOKEN_TONES[state]}>{messages.apps.tokenStates[state]}</Status>;
}
