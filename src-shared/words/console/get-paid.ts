import type { AttemptFailure } from '../../attempt-failures.ts';
import { reachText } from '../elsewhere/reach-text.ts';
import { area, extended } from '../language/language.ts';

const text = area('getPaid');

export const getPaid = extended('getPaid', () => {
  const reasons: Readonly<Record<AttemptFailure, string>> = { ...reachText, ...text.attempts.reasons };
  return { attempts: { reasons } };
});
