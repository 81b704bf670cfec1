import { strong, type Words } from '../words.ts';

const nothingPaid = 'Your wallet paid nothing.';
const noWay = `Your wallet and the payee’s have no common way yet. Pay from another wallet, or tell the payee. ${nothingPaid}`;
const closed = `Somebody else paid this payment, or it ended, before your wallet could pay it. ${nothingPaid}`;

/** Why a visitor's wallet did not pay, and what the visitor can do. */
const problems = {
  wallet_not_found:
    'There is no wallet at this address. Check it for typing errors: it looks like wallet.example/you or $wallet.example/you.',
  own_wallet: 'This wallet address belongs to the same paydesk as the one to be paid. Pay from its own console instead.',
  wallet_not_resolved: 'The name in this address leads nowhere on the internet. Check it for typing errors.',
  wallet_unreachable: 'This wallet does not answer. Check its address for typing errors, or try again in a moment.',
  wallet_not_secure: `This wallet has no secure connection (TLS) that can be trusted, so it cannot pay here. ${nothingPaid}`,
  wallet_other_protocol: 'This wallet does not speak Open Payments, or an older version of it. Pay from another wallet.',
  auth_unreachable: 'This wallet answers, but the server that gives permissions for it does not. Try again in a moment.',
  grant_refused: 'This wallet does not let this page ask for a payment. Pay from another wallet, or ask its provider.',
  key_unknown: `This wallet does not recognise the payee’s wallet. Tell the payee. ${nothingPaid}`,
  wallet_refused: 'This wallet says no to this payment and does not tell why. Look there, or pay from another wallet.',
  no_common_way: noWay,
  peer_paused: noWay,
  peer_limit: `The way between your wallet and the payee’s is full at the moment. Tell the payee, or pay from another wallet. ${nothingPaid}`,
  peer_unreachable: `The way between your wallet and the payee’s is interrupted at the moment. Try again later. ${nothingPaid}`,
  packet_refused: `Somebody on the way between your wallet and the payee’s lets no payment through. Pay from another wallet. ${nothingPaid}`,
  no_rate: `Nobody exchanges your currency into the payee’s at the moment. Tell the payee, or pay from another wallet. ${nothingPaid}`,
  too_small: 'The amount is too small to arrive in the payee’s currency.',
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
