import type { DiskKind, RemovedKind } from '../../disk-kinds.ts';
import type { LogLevel } from '../../operator-contract/health.ts';
import type { ReachStep } from '../../operator-contract/reachability.ts';
import { dateTimeText } from '../date-text.ts';
import { bytesText, durationText } from '../duration-text.ts';
import { healthText } from '../health.ts';
import { locale } from '../locale.ts';
import { reachText } from '../reachability.ts';
import { counted } from '../words.ts';

const steps: Record<ReachStep['name'], string> = {
  public_url: 'Public address',
  dns: 'Name',
  port: 'Port',
  tls: 'Certificate',
  clock: 'Clock',
  signature: 'Signed request',
};

const stepStates: Record<ReachStep['state'], string> = {
  running: 'Looking…',
  good: 'Good',
  warning: 'Look at this',
  bad: 'Needs attention',
  skipped: 'Not tried',
};

const levels: Record<LogLevel, string> = {
  trace: 'Everything',
  debug: 'Details',
  info: 'Notes',
  warn: 'Warnings',
  error: 'Errors',
  fatal: 'Fatal errors',
};

const levelNames: Record<LogLevel, string> = {
  trace: 'Trace',
  debug: 'Detail',
  info: 'Note',
  warn: 'Warning',
  error: 'Error',
  fatal: 'Fatal error',
};

type ReplicaState = 'runs' | 'leaves' | 'differs' | 'clock';

/** A replica whose clock differs by more gets no requests, in milliseconds. */
const MOST_CLOCK_MS = 2_000;

const inDays = (days: number): string => durationText(days * 86_400);
const after = (days: number): string => `${inDays(days)} after`;

export const health = {
  title: 'Health',
  lead: 'How your node is, what to do when something is wrong, and what to give to somebody who helps.',
  checks: 'Checks',
  checkText: healthText,
  reach: {
    title: 'Can the world reach you?',
    lead: 'Your node looks at itself the way a stranger’s wallet would: it looks up its own name, connects, and sends itself a signed request.',
    start: 'Try now',
    again: 'Try again',
    stop: 'Stop',
    list: 'Steps',
    steps,
    findingText: reachText,
    stepStates,
    next: 'What to do:',
    allGood: 'The world can reach your node.',
    someWrong: 'Others may not be able to reach your node. Begin with the first line that is not good.',
    failed: 'The check stopped before its end. Try again.',
  },
  replicas: {
    title: 'Replicas',
    lead: (count: number, engine: string, database: string) =>
      `${counted(count, 'process runs', 'processes run')} this node over ${engine}, in the database ${database}.`,
    own: (name: string) => `${name} (this one)`,
    /** What matters most of a replica. */
    stateOf: ({ leaving, alike, clockMs }: { leaving: boolean; alike: boolean; clockMs: number | null }): ReplicaState => {
      if (leaving) return 'leaves';
      if (!alike) return 'differs';
      return Math.abs(clockMs ?? 0) > MOST_CLOCK_MS ? 'clock' : 'runs';
    },
    states: {
      runs: 'Runs',
      leaves: 'Is about to end',
      differs: 'Other settings than this one',
      clock: 'Clock is wrong',
    } satisfies Record<ReplicaState, string>,
    facts: (version: string, host: string, since: Date) => `Version ${version} on ${host}, since ${dateTimeText(since)}`,
    figures: (turns: number | null, clockMs: number | null): string => {
      const written = turns === null ? 'Nothing is known yet of what it writes' : `Writes ${counted(turns, 'turn', 'turns')} a second`;
      if (clockMs === null) return `${written}.`;
      const seconds = (Math.abs(clockMs) / 1_000).toLocaleString(locale, { maximumFractionDigits: 1 });
      return Math.abs(clockMs) < 100
        ? `${written}. Its clock agrees with that of the database.`
        : `${written}. Its clock is ${seconds} s ${clockMs > 0 ? 'behind' : 'ahead of'} that of the database.`;
    },
    /** What the node can know of backups that others make. */
    backup: (archivedAt: Date | null, exportedAt: Date | null): string => {
      const archived =
        archivedAt === null
          ? 'The database server tells of no backup of its own. A managed one may make backups without telling.'
          : `The database server last copied its log away ${dateTimeText(archivedAt)}.`;
      return exportedAt === null ? `${archived} The books were never exported.` : `${archived} Last export: ${dateTimeText(exportedAt)}.`;
    },
    read: (at: Date) => `Read ${dateTimeText(at)}.`,
  },
  disk: {
    title: 'Disk',
    lead: (total: number, room: number | null) =>
      room === null
        ? `Your node’s database takes ${bytesText(total)}. Its server knows how much room is left there.`
        : `Your node’s database and archive take ${bytesText(total)}. The disk has ${bytesText(room)} left.`,
    growth: (perDay: number | null, room: number | null): string => {
      if (perDay === null) return 'How fast the database grows is known tomorrow.';
      if (perDay <= 0) return 'The database has not grown lately.';
      if (room === null) return `The database grows by ${bytesText(perDay)} a day.`;
      const days = Math.floor(room / perDay);
      const full = days > 3_650 ? 'There is room for more than ten years.' : `The disk is full in about ${counted(days, 'day', 'days')}.`;
      return `The database grows by ${bytesText(perDay)} a day. ${full}`;
    },
    held: (before: Date, until: Date) =>
      `Nothing goes before ${dateTimeText(until)}, because the node had not looked since ${dateTimeText(before)}. If the clock of its computer is wrong, set it right before then.`,
    kindsList: 'What takes how much room',
    kinds: {
      payments: 'Payments and requests',
      books: 'Books',
      events: 'Events',
      permissions: 'Permissions of apps',
      signatures: 'Signatures, so that none counts twice',
      visits: 'Attempts of visitors to pay',
      other_wallets: 'Permissions at other wallets',
      peers: 'Peers and their packets',
      activity: 'Log of actions',
      settings: 'Settings and the rest',
      archive: 'Archive of the details of old payments',
    } satisfies Record<DiskKind, string>,
    free: (shrinks: boolean) => (shrinks ? 'Free inside the file' : 'Free inside the file, which keeps its size'),
    bytes: (bytes: number) => bytesText(bytes),
    removedTitle: 'What goes by itself',
    removed: {
      unpaid_requests: (days) => `Requests of apps that nobody paid: ${after(days)} their end`,
      unused_quotes: (days) => `Prices with which nobody paid: ${after(days)} their end`,
      ended_grants: (days) => `Permissions that have ended, and unused ones that nobody had to allow: after ${inDays(days)}`,
      ended_tokens: (days) => `Tokens that were replaced or ended: ${after(days)} their end`,
      stranger_rows: () => 'Who made a request, a price or a permission: with that thing, or once it is paid, used or allowed',
      signatures: () => 'Signatures: as soon as they are too old to be accepted',
      remote_grants: (days) => `Permissions at other wallets: after ${inDays(days)} without use`,
      invitations: (days) => `Invitations of peers that were used or have expired: after ${inDays(days)}`,
      peer_answers: (days) => `Rejected packets of peers: after ${inDays(days)}`,
      failed_checkouts: (days) => `Attempts of visitors in which nothing was paid: after ${inDays(days)}, sooner when there are very many`,
      local_packets: (days) => `Packets between your accounts: ${after(days)} they were made, once their payment has ended`,
      payment_details: (days) => `Details of payments that have ended: into the archive after ${inDays(days)}`,
      events: (days) => `Events that belong to no payment: after ${inDays(days)}`,
    } satisfies Record<RemovedKind, (days: number) => string>,
    kept: 'Payments, the books, your own requests and the log of actions stay.',
    measured: (at: Date) => `Measured ${dateTimeText(at)}.`,
  },
  log: {
    title: 'Log',
    lead: 'The last lines your node has written since it was started. Tokens, keys and passphrases are never in them.',
    open: 'Show the log',
    card: 'What the node has written',
    cardWords: 'Every line since the start, to find the cause of a problem.',
    levels,
    levelNames,
    levelLabel: 'Lowest level',
    searchLabel: 'Search the log',
    searchHint: 'Search messages and details',
    clearSearch: 'Clear search',
    refresh: 'Read again',
    list: 'Lines of the log',
    kept: (kept: number, most: number) =>
      kept < most
        ? `${counted(kept, 'line', 'lines')} since the start`
        : `The last ${counted(most, 'line', 'lines')}; older ones are not kept here`,
    request: (method: string, path: string, status: number, ms: string | undefined) => {
      const outcome = status >= 500 ? 'failed' : status >= 400 ? 'refused' : 'answered';
      return `Request ${outcome}: ${method} ${path} (${status}${ms === undefined ? '' : `, in ${ms} ms`})`;
    },
    noMessage: 'A line without a message',
    /** The facts that the screen shows beside a message. All other facts are in the details. */
    factNames: {
      'err.message': 'Reason',
      reason: 'Reason',
      problem: 'Reason',
      words: 'Reason',
      client: 'App',
      publicUrl: 'Public address',
      version: 'Version',
      operation: 'Operation',
      origin: 'Asked',
    },
    details: 'Details',
    none: 'No line matches',
    noneAdvice: 'Choose a lower level or search for something else. The log level, under Settings, decides what the node writes.',
  },
  bundle: {
    title: 'Support bundle',
    words: 'One file for somebody who helps you. You decide whom you give it to; your node sends it nowhere.',
    make: 'Make a support bundle',
    dialog: 'What goes into the support bundle',
    inside: [
      'The version of paydesk, the kind of computer and system',
      'How the node was started, without names, addresses and folders',
      'The state of each check, and how many accounts, payments and peers there are',
      'The last 1,000 lines of the log: time, kind and message, with everything that could be a name, an amount, an address or an id left out',
    ],
    outside: 'Not in it: names, amounts, wallet addresses, notes, keys, tokens and passphrases.',
    readFirst: 'It is a text file: open it and read it before you give it away.',
    download: 'Make and download',
    done: 'The support bundle is made. Your browser saves the file.',
  },
} as const;
