import { LINK_PROBLEMS } from '../link-problems.ts';

/** How the test of a peer can end. `careful`: it works, but a setting should be looked at. */
export const TEST_OUTCOMES = ['good', 'careful', 'refused', 'unreachable'] as const;

/**
 * What the test of a peer can find besides another currency. `clock_differs`: by the peer's clock, each packet arrives
 * too late. `takes_nothing`: the peer takes no packets at the moment. `forgets_repetitions`: the peer's setting says
 * that it answers a repeated packet as the first time, and it does not. `recognises_repetitions`: it does, and the
 * setting does not say so. `repetitions_unclear`: the setting says so, and the test could not find out.
 */
export const TEST_FINDINGS = [
  'accepted',
  'clock_differs',
  'takes_nothing',
  'forgets_repetitions',
  'recognises_repetitions',
  'repetitions_unclear',
  ...LINK_PROBLEMS,
] as const;
