import { type Failure, isFailure } from '../payment-failures.ts';

const words: Readonly<Record<Failure, string>> = {
  receiver_closed: 'The receiver has completed or expired and takes no more money. What was not sent is back in the account.',
  over_amount: 'The receiver would have got more than it asked for. What was not sent is back in the account.',
  out_of_time: 'It could not be finished in time. What was not sent is back in the account.',
  no_progress:
    'Several attempts in a row delivered nothing. What was not sent is back in the account. Test the peer on the way, which says what is wrong, and pay again.',
  refused: 'The receiving side refused the money. What was not sent is back in the account.',
  no_route:
    'No peer leads to the receiver’s wallet. What was not sent is back in the account. Add a peer that does, or resume the paused one, and pay again.',
  peer_unreachable:
    'The peer on the way to the receiver did not answer, or is paused. What was not sent is back in the account. Resume the peer or test it, and pay again once it answers.',
  receiver_unreachable:
    'The receiver’s wallet did not say where to send the money: it was not there, or it refused. What was not sent is back in the account. Try again later. If others can be paid, ask its operator; if nobody can, see under Health whether this computer’s clock is right.',
  rate_moved:
    'The exchange rate on the way got worse than the quoted one, so less would have arrived than was promised. What was not sent is back in the account. Ask for a new quote.',
  no_liquidity:
    'The exchange account had too little of the receiver’s currency. What was not sent is back in the account. Add money under Rates, and pay again.',
  path_liquidity:
    'A wallet on the way had too little money or credit to pass it on. What was not sent is back in the account. Try a smaller amount or later.',
  peer_credit:
    'This node may not owe the peer any more than it does. What was not sent is back in the account. Settle with the peer or raise the limit, and pay again.',
  bad_fulfilment:
    'The peer said that the money had arrived but could not prove it, so it was not charged. What was not sent is back in the account. Ask the peer’s operator what happened.',
  unresolved:
    'The fate of some of the money could not be found out, and the operator has decided it. What had not arrived is back in the account.',
};

/** Why a payment failed, and what became of its money. */
export const paymentFailureText = (code: string): string =>
  isFailure(code) ? words[code] : 'It failed for a reason this version of paydesk does not know.';
