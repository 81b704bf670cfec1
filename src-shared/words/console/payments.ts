import type { Payment, PaymentStatus } from '../../operator-contract/payments/payments.ts';
import { locale } from '../locale.ts';
import { openPacketText } from '../open-packets.ts';
import { paymentFailureText } from '../payment-failures.ts';
import { archiveTroubleText } from '../storage.ts';
import { counted } from '../words.ts';

const statuses: Record<PaymentStatus, string> = {
  waiting: 'Waiting',
  partly_paid: 'Partly paid',
  paid: 'Paid',
  cancelled: 'Cancelled',
  expired: 'Expired',
  nothing_received: 'Nothing received',
  queued: 'Queued',
  sending: 'Sending',
  retrying: 'Trying again',
  settling: 'Finishing',
  unknown: 'Needs you',
  completed: 'Completed',
  failed: 'Failed',
};

/**
 * The facts of an event that a sentence can use. Amounts are text. A fact that the event does not have is undefined.
 */
export interface TimelineFacts {
  readonly amount: string | undefined;
  /** The total that was received or sent so far. */
  readonly total: string | undefined;
  readonly returned: string | undefined;
  /** Whether nothing at all was received or sent. */
  readonly isEmpty: boolean;
  /** Whether the operator did it. */
  readonly byYou: boolean;
  /** How many consecutive events the entry stands for. */
  readonly events: number;
  /** Whether the money arrived, in the event in which the operator says how the payment ended. */
  readonly arrived: boolean;
}

const or = (text: string | undefined, words: (text: string) => string, otherwise: string): string =>
  text === undefined ? otherwise : words(text);

/** The words for packets that moved money. Several packets in a row have one entry with their sum. */
const moved =
  (verb: 'received' | 'sent') =>
  ({ amount, total, events }: TimelineFacts): string => {
    if (events > 1) return or(total, (sum) => `${sum} ${verb} in all, in ${events} packets`, `Money ${verb} in ${events} packets`);
    return or(amount, (text) => `${text} ${verb}${or(total, (sum) => `, ${sum} in all`, '')}`, `Money ${verb}`);
  };

/** What each event says about a payment. */
const timeline: Readonly<Record<string, (facts: TimelineFacts) => string>> = {
  'incoming_payment.created': () => 'Asked for',
  'incoming_payment.received': moved('received'),
  'incoming_payment.completed': ({ total, byYou, isEmpty }) =>
    isEmpty
      ? `${byYou ? 'Cancelled by you' : 'Closed by its app'} with nothing received; no money is accepted`
      : `${byYou ? 'Completed by you' : 'Completed'}${or(total, (text) => ` with ${text} received`, '')}; no more money is accepted`,
  'outgoing_payment.created': ({ amount }) =>
    or(amount, (text) => `Created, and ${text} set aside for it`, 'Created, and its money set aside'),
  'outgoing_payment.sending': () => 'Sending began',
  'outgoing_payment.sent': moved('sent'),
  'outgoing_payment.retrying': ({ events }) => `Not everything could be sent ${events > 1 ? `in ${events} tries` : 'yet'}; trying again`,
  'outgoing_payment.settling': () => 'No more is sent; waiting for the last answers',
  'outgoing_payment.unknown': () => 'It is not known whether the last part arrived: you have to find out',
  'outgoing_payment.resolved': ({ amount, arrived }) => `You said that ${amount ?? 'the rest'} ${arrived ? 'arrived' : 'did not arrive'}`,
  'outgoing_payment.completed': ({ total }) => or(total, (text) => `Completed: ${text} sent`, 'Completed: everything arrived'),
  'outgoing_payment.failed': ({ returned }) => or(returned, (text) => `Failed; ${text} went back into the account`, 'Failed'),
};

/** What an operator can do about a failed payment, by the code of the failure. */
const advice: Readonly<Record<string, string>> = {
  receiver_closed: 'Ask the receiver for a new payment request; this one accepts no more money.',
  over_amount: 'Let the app ask the receiver how much is still missing, and pay that with a new payment.',
  out_of_time: 'The app can try again with a new payment.',
  no_progress: 'Check that this computer is online and that the receiver is. The app can try again with a new payment.',
  refused: 'Ask the receiver whether it can still be paid. The app can try again with a new payment.',
};

export const payments = {
  title: 'Payments',
  directions: { all: 'All', in: 'In', out: 'Out', unpaid: 'Not paid' },
  unpaidNote: 'What apps and visitors asked for and nobody has paid. It counts in no sum.',
  waitingFor: (asked: string) => `Waiting for ${asked}`,
  partlyPaidOf: (asked: string) => `Partly paid of ${asked}`,
  directionLabel: 'Direction',
  statusLabel: 'Status',
  anyStatus: 'Any status',
  accountLabel: 'Account',
  anyAccount: 'Any account',
  searchLabel: 'Search',
  searchHint: 'Description, reference, note, app or id',
  clearSearch: 'Clear search',
  clearReference: 'Clear reference',
  clearOf: (what: string) => `Clear “${what}”`,
  moreFilters: (set: number) => (set === 0 ? 'More filters' : `More filters (${set})`),
  referenceLabel: 'Reference',
  referenceHint: 'Begins with',
  appLabel: 'App',
  anyApp: 'Any app',
  noApp: 'No such app',
  minLabel: 'Amount from',
  maxLabel: 'Amount to',
  fromLabel: 'From day',
  toLabel: 'To day',
  count: (count: number) => counted(count, 'payment', 'payments'),
  received: (amount: string) => `${amount} received`,
  sent: (amount: string) => `${amount} sent`,
  totals: 'What these payments come to',
  arrived: (count: number) => counted(count, 'new payment', 'new payments'),
  tooMany: (rows: number) => `Only the newest ${rows.toLocaleString(locale)} are listed. Choose days to see older ones.`,
  pay: 'Pay',
  export: 'Export',
  exporting: {
    title: 'Export as a table',
    words: (count: string) =>
      `${count} as a CSV file, which every spreadsheet opens: all payments that match the filters now. Deposits and withdrawals are in it, unless a filter asks for what only payments have.`,
    progress: (rows: string, of: string) => `${rows} of ${of} written`,
    label: 'Progress of the export',
    start: 'Export',
    stop: 'Stop',
    done: (rows: number) => `${counted(rows, 'row', 'rows')} exported. Your browser saves the file.`,
    /** What a row says in place of a state, when it is no payment. */
    cash: { in: 'Deposited', out: 'Withdrawn' },
    failed: 'The export stopped before its end. Nothing was saved. Try again.',
  },
  clear: 'Clear filters',
  statuses,
  none: 'No payments yet',
  noneAdvice: 'Payments appear here by themselves, incoming and outgoing, as soon as an app or a payer starts one.',
  noneFound: 'No payment matches these filters',
  noneFoundAdvice: 'Change or clear the filters to see others.',
  incoming: 'Incoming payment',
  outgoing: 'Outgoing payment',
  incomingTo: (account: string) => `Into ${account}`,
  outgoingFrom: (account: string) => `From ${account}`,
  anyAmount: 'Any amount',
  by: (app: string) => `by ${app}`,
  progressIn: (done: string, whole: string) => `${done} of ${whole} received`,
  progressInOpen: (done: string) => `${done} received so far`,
  progressOut: (done: string, whole: string) => `${done} of ${whole} sent`,
  progressLabel: 'Progress',
  facts: 'Details',
  fact: {
    status: 'Status',
    amountIn: 'Asked for',
    amountOut: 'To leave the account',
    received: 'Received',
    sent: 'Sent',
    receiveAmount: 'To arrive',
    delivered: 'Arrived',
    account: 'Account',
    walletAddress: 'Wallet address',
    receiver: 'Receiver',
    app: 'App',
    byYou: 'You',
    grant: 'Permission',
    grantLink: 'What this app may do',
    created: 'Created',
    updated: 'Last change',
    expires: 'Expires',
    reference: 'Reference',
    note: 'Private note',
    packets: 'Packets',
    packetsCount: (count: number) => (count === 0 ? 'None yet' : counted(count, 'packet carried its money', 'packets carried its money')),
    packetsArchived: 'In the archive',
    url: 'Public address',
  },
  timeline: 'What happened',
  timelineEvents: timeline,
  archived: 'The payment ended long ago. What happened to it is in the archive.',
  showArchived: 'Show it from the archive',
  archivedNothing: 'The archive has nothing of this payment.',
  archivedPackets: 'Packets in the archive',
  archivedPacket: (amount: string, when: string, state: unknown) => `${amount}, ${when}${state === 'rejected' ? ', refused' : ''}`,
  archivedMore: (more: number) => `and ${more} more; the command archive prints all`,
  archiveTroubleText,
  metadata: 'Data the app attached',
  metadataOwn: 'What the payer sees of it',
  metadataDescription: 'For',
  noMetadata: 'Nothing.',
  failedTitle: 'This payment failed',
  failureText: paymentFailureText,
  advice,
  adviceDefault: 'The app can try again with a new payment.',
  adviceOwn: 'Nothing more happens by itself. Solve the problem, then pay again.',
  payAgain: 'Pay again',
  unknownTitle: 'You have to find out whether this arrived',
  unknownWords: (amount: string, peer: string) =>
    `${amount} left your node, and ${peer} never said what became of it. It is set aside until you know. Ask the receiver, or whoever runs the peer, and then say it here.`,
  unknownCopyWords: (amount: string) =>
    `Your books were put back from a backup that was made while this payment was under way. ${amount} of it had not been sent by then; whether it was sent later, the backup cannot know. It is set aside until you know. Ask the receiver, and then say it here.`,
  thePeer: 'the peer it was given to',
  openPacketText,
  heldTitle: (amount: string) => `${amount} waits for an answer`,
  didArrive: 'It arrived',
  notArrived: 'It did not arrive',
  arrivedQuestion: 'Did it arrive?',
  arrivedWords: (amount: string) =>
    `${amount} is then booked as paid, and owed to the peer. Say this only if the receiver confirms it: it cannot be undone.`,
  arrivedCopyWords: (amount: string) =>
    `${amount} then leaves your books as paid; what the peer is owed for it you settle with the peer. Say this only if the receiver confirms it: it cannot be undone.`,
  notArrivedQuestion: 'Did it really not arrive?',
  notArrivedWords: (amount: string) =>
    `${amount} goes back into the account. Say this only if the receiver has not got it: if it arrives after all, you will owe it to the peer. It cannot be undone.`,
  resolved: 'The payment is decided as you said.',
  complete: 'Complete now',
  completeTitle: 'Complete this payment?',
  completeWords: (received: string) =>
    `It stays at ${received} received, and no more money is accepted for it. Payers who have not paid yet are refused. This cannot be undone.`,
  completed: 'The payment is completed.',
  cancel: 'Cancel request',
  cancelTitle: 'Cancel this request?',
  cancelWords: 'Nothing has been received for it, and no money is accepted any more. Payers are refused. This cannot be undone.',
  cancelNot: 'Keep it',
  cancelled: 'The request is cancelled.',
  news: {
    paid: (amount: string, account: string) => `${amount} received into ${account}`,
    failed: (amount: string, account: string) => `A payment of ${amount} from ${account} failed`,
    look: 'Look at it',
  },
  titleOf: (payment: Pick<Payment, 'direction' | 'description' | 'reference' | 'note'>) =>
    payment.description ?? payment.note ?? payment.reference ?? (payment.direction === 'in' ? 'Incoming payment' : 'Outgoing payment'),
} as const;
