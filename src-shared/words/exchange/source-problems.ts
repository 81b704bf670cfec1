import type { RateSourceProblem } from '../../exchange/source-problems.ts';

/** Why a look at a source of rates brought nothing, and what the operator can do. */
export const sourceProblems: Record<RateSourceProblem, string> = {
  invalid_url: 'This is not a web address.',
  scheme_not_allowed: 'The address must begin with https://.',
  address_not_allowed: 'The address lies in a private network. Your node asks only computers on the public internet.',
  not_resolved: 'No computer has this name. Check the address for typing mistakes.',
  not_secure: 'There is no secure connection to it. Its certificate may have ended.',
  unreachable: 'It cannot be reached.',
  timed_out: 'It did not answer within five seconds.',
  busy: 'Your node had too much to do to ask it.',
  redirected: 'It points to another address. Enter that address instead.',
  too_large: 'Its answer is larger than 64 KB.',
  refused: 'It answered with an error.',
  not_readable: 'Its answer cannot be read. Is it the right kind of source?',
  no_rate: 'There is no number above zero at this place of its answer.',
  no_date: 'There is no date at the place where it should be.',
  from_future: 'Its rate says that it is from a day that has not come yet. Is the clock of your computer right?',
  older: 'Its rate is older than the one it told before.',
};
