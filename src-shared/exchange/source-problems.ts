/**
 * Why a look at a source brought nothing.
 * - `busy`: the node had no place for the request, so nobody was asked.
 * - `refused`: the answer was an error.
 * - `not_readable`: the answer is not what its kind of source sends.
 * - `no_rate`, `no_date`: at its place stands no number above zero, or no moment.
 * - `from_future`: the rate says that it is from a moment that is more than a day ahead.
 * - `older`: the rate is older than what the source said before.
 */
export const RATE_SOURCE_PROBLEMS = [
  'invalid_url',
  'scheme_not_allowed',
  'address_not_allowed',
  'not_resolved',
  'not_secure',
  'unreachable',
  'timed_out',
  'busy',
  'redirected',
  'too_large',
  'refused',
  'not_readable',
  'no_rate',
  'no_date',
  'from_future',
  'older',
] as const;
export type RateSourceProblem = (typeof RATE_SOURCE_PROBLEMS)[number];

/** Whether a text is such a problem. */
export const isRateSourceProblem = (text: string | null): text is RateSourceProblem =>
  (RATE_SOURCE_PROBLEMS as readonly (string | null)[]).includes(text);
