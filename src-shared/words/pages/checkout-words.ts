import { strong, type Words } from '../words.ts';

const nothingPaid = 'Your wallet paid nothing.';
const closed = `Somebody else paid this payment, or it ended, before your wallet could pay it. ${nothingPaid}`;

/** Why a visitor's wallet did not pay, and what the visitor can do. */
const problems = {
  wallet_not_found:
    'There is no wallet at this address. Check it for typing errors: it looks like wallet.example/you or $wallet.example/you.',
  own_wallet: 'This wallet address belongs to the same paydesk as the one to be paid. Pay from its own console instead.',
  wallet_unreachable: 'This wallet does not answer. Check its address for typing errors, or try again in a moment.',
  wallet_refused: 'This wallet cannot make this payment. It may not have enough money, or it may not be able to reach this payee.',
  rejected: 'You said no at your wallet, so it paid nothing this time.',
  too_late: `The approval did not come in time. ${nothingPaid} You can try again.`,
  closed,
  price_changed: `The price in your currency changed before your wallet could pay. ${nothingPaid} You can try again.`,
  payment_failed: 'Your wallet could not finish the payment. Look in your wallet to see how much it has sent.',
  not_arrived: 'This page told your wallet to pay, but nothing has arrived yet. Look in your wallet before you try again.',
  interrupted:
    'The wallet to be paid was restored from a backup while this payment was under way. It does not know whether your wallet has paid. Look in your wallet, and ask the payee, before you pay again.',
  unknown_payment: closed,
  invalid_amount: 'Enter an amount such as 12.50, not more than this payment takes.',
  busy: 'Too many people are trying to pay this at the moment. Try again in a few minutes.',
} as const;

/** What a visitor reads on the pages of an incoming payment. A strong piece is a stranger's text or a moment. */
export const checkoutWords = {
  problems,
  title: {
    open: (payee: string) => `Pay ${payee}`,
    paid: (payee: string) => `Paid: ${payee}`,
    ended: (payee: string) => `Ended: ${payee}`,
  },
  pay: (payee: string): Words => ['Pay ', strong(payee)],
  anyAmount: 'Any amount',
  paid: 'Paid',
  paidTo: (payee: string): Words => ['to ', strong(payee)],
  reference: (reference: string): Words => ['Reference: ', strong(reference)],
  ended: {
    partly_paid: 'Partly paid; this payment takes no more money',
    cancelled: 'The payee has cancelled this payment. Nothing was paid.',
    expired: 'This payment has expired. Nothing was paid.',
    nothing_received: 'This payment was closed. Nothing was paid.',
  },
  endedAdvice: 'Ask the payee for a new link.',
  state: {
    waiting: 'Waiting for payment',
    receiving: 'Partly paid',
    more: 'Paid; you can pay more',
    busy: 'Your wallet is paying …',
  },
  busyNote: 'This page continues by itself. You can close it: your wallet still pays.',
  howMuch: 'How much has arrived',
  arrived: (amount: string) => `${amount} has arrived.`,
  ends: (moment: string): Words => ['Ends ', strong(moment), '.'],
  amountIn: (currency: string) => `Amount in ${currency}`,
  wallet: 'Your wallet address',
  walletHint: 'Such as wallet.example/you or $wallet.example/you. You approve the payment there.',
  payFromWallet: 'Pay from this wallet',
  /** The page between this node and the visitor's wallet. */
  go: {
    title: 'Approve at your wallet',
    wallet: 'Your wallet',
    debit: 'It will take',
    sentTo: (host: string): Words => ['This page sends you to ', strong(host), '. Come back here after you have approved.'],
    button: (host: string) => `Go to ${host}`,
    back: 'Do not pay now',
  },
  /** The page for a visitor who comes back with an answer that is not for this browser. */
  stranger: {
    title: 'This did not work',
    words:
      'This browser did not begin the payment that the answer of the wallet belongs to, or the answer was used before. It paid nothing.',
  },
  noAmount: {
    title: 'This is not an amount',
    words: 'Go back and enter an amount such as 12.50.',
  },
  /** The page at an address without content. */
  nothing: {
    title: 'There is nothing here',
    words: 'The link may be old, or a part of it is missing. Ask the person who gave it to you.',
  },
  back: 'Back to the payment',
} as const;
