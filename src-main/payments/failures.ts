/** Why an outgoing payment failed: stored with it, answered by code, told to the operator in words. */
export const FAILURES = {
  receiver_closed: 'The receiver has completed or expired and takes no more money. What was not sent is back in the account.',
  over_amount: 'The receiver would have got more than it asked for. What was not sent is back in the account.',
  out_of_time: 'It could not be finished in time. What was not sent is back in the account.',
  no_progress: 'Several attempts in a row delivered nothing. What was not sent is back in the account.',
  refused: 'The receiving side refused the money. What was not sent is back in the account.',
} as const;

export type Failure = keyof typeof FAILURES;

export const isFailure = (text: string): text is Failure => Object.hasOwn(FAILURES, text);
