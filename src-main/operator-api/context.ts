import type { DiskAnswer } from '../../src-shared/operator-contract/health.ts';
import type { NodeInfo } from '../../src-shared/operator-contract/node.ts';
import type { NodeConfiguration } from '../../src-shared/operator-contract/settings.ts';
import type { AuditBook } from '../audit/audit-book.ts';
import type { Backups } from '../backup/backups.ts';
import type { Restores } from '../backup/restores.ts';
import type { ExchangeAccounts } from '../exchange/exchange-accounts.ts';
import type { ExchangeFees } from '../exchange/exchange-fees.ts';
import type { Rates } from '../exchange/rates.ts';
import type { FollowedRates } from '../exchange/sources/followed-rates.ts';
import type { RateSources } from '../exchange/sources/rate-sources.ts';
import type { ActivityCheck } from '../journal/activity-log.ts';
import type { Doer } from '../journal/doer.ts';
import type { EventFeed } from '../journal/events.ts';
import type { ClaimLinks } from '../payments/claims/claim-links.ts';
import type { Claims } from '../payments/claims/claims.ts';
import type { IncomingPayments } from '../payments/incoming/incoming-payments.ts';
import type { OperatorPayments } from '../payments/outgoing/operator-payments.ts';
import type { UnknownPayments } from '../payments/outgoing/unknown-payments.ts';
import type { WalletReach } from '../payments/reach/wallet-reach.ts';
import type { Refunds } from '../payments/refunds/refunds.ts';
import type { OperatorPeers } from '../peers/operator-peers.ts';
import type { Peering } from '../peers/peering.ts';
import type { ReadArchive } from '../platform/archive/archive-reader.ts';
import type { ClockWitnesses } from '../platform/clock-witnesses.ts';
import type { Core } from '../platform/core.ts';
import type { AboutServer } from '../platform/database/postgres/postgres-database.ts';
import type { Refusals } from '../platform/overload/refusals.ts';
import type { LastLook } from '../platform/public-address/last-look.ts';
import type { TlsCertificate } from '../platform/public-address/tls-certificate.ts';
import type { Printing } from '../printing/print-jobs.ts';
import type { Receipts } from '../receipts/receipts.ts';
import type { NodeKeys } from '../remote-wallets/node-keys.ts';
import type { WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';
import type { DesktopHost } from './desktop-host.ts';
import type { AppLock } from './lock/app-lock.ts';
import type { Caller } from './lock/lock-guard.ts';
import type { OperatorAccess } from './operator-access.ts';
import type { ApiKeys } from './people/api-keys.ts';
import type { KnownBrowsers } from './people/known-browsers.ts';
import type { People } from './people/people.ts';
import type { Ranked } from './people/role-guard.ts';
import type { OperatorSessions } from './people/sessions.ts';
import type { Site } from './people/site.ts';
import type { Passkeys } from './sign-in/passkeys.ts';
import type { Passwords } from './sign-in/passwords.ts';
import type { Pins } from './sign-in/pins.ts';
import type { PairedDevice } from './tills/paired-device.ts';
import type { Tills } from './tills/tills.ts';

/** What the operator's operations work with. There is one for the whole node, the same on every transport. */
export interface OperatorContext extends Core, Pick<Ranked, 'role' | 'isStillIn' | 'isLimited' | 'byPin' | 'narrowed'> {
  lock: AppLock;
  caller?: Caller | undefined;
  /** Whether the window of the desktop app calls. */
  isWindow?: boolean | undefined;
  /** The browser sessions. The desktop app has none. */
  sessions: OperatorSessions;
  apiKeys: ApiKeys;
  tills: Tills;
  /** The device of a till, when one calls. */
  till?: PairedDevice | undefined;
  people: People;
  /** Who calls. It is undefined for the owner at this computer: the desktop window, scripts and the host. */
  doer?: Doer | undefined;
  /** The passkeys of persons, and their passwords. */
  passkeys: Passkeys;
  passwords: Passwords;
  /** Their PINs, and the browsers in which those work. */
  pins: Pins;
  knownBrowsers: KnownBrowsers;
  /** The console's URL on the network. It is undefined where the console is on this computer only. */
  consoleUrl?: string | undefined;
  /** The site where the page that calls was opened. It is undefined on every transport without pages. */
  site?: Site | undefined;
  /** The id of the session that calls. It is undefined on every transport without sessions. */
  session?: string | undefined;
  events: EventFeed;
  walletAddresses: WalletAddresses;
  incomingPayments: IncomingPayments;
  operatorPayments: OperatorPayments;
  unknownPayments: UnknownPayments;
  refunds: Pick<Refunds, 'create' | 'payer' | 'price'>;
  claims: Pick<Claims, 'make' | 'cancel' | 'refund' | 'refuse'>;
  claimLinks: Pick<ClaimLinks, 'secretOf'>;
  receipts: Pick<Receipts, 'issue' | 'find' | 'notePrint'>;
  /** The receipt printer, and the queue before it. */
  printing: Pick<Printing, 'set' | 'remove' | 'print' | 'test' | 'cancel' | 'tryNow' | 'jobs'>;
  access: OperatorAccess;
  rates: Rates;
  rateSources: RateSources;
  followedRates: FollowedRates;
  exchangeFees: ExchangeFees;
  exchangeAccounts: ExchangeAccounts;
  peers: OperatorPeers;
  /** Finds out whom this node can pay, and who can pay it. */
  reach: Pick<WalletReach, 'report' | 'anyBack'>;
  /** What this node and others like it say to each other beside the packets. */
  peering: Peering;
  backups: Backups;
  /** It is undefined when the books are in a shared database. */
  restores: Restores | undefined;
  /** The folder for backups when the operator names no other. */
  backupFolder: string;
  /** The node's own certificate, when its public listener has one. */
  certificate?: Pick<TlsCertificate, 'beginsAt' | 'expiresAt' | 'isFor' | 'problem'> | undefined;
  /** It is undefined on a headless node. */
  desktop?: DesktopHost | undefined;
  /** The keys with which the node signs requests in the name of its accounts. */
  nodeKeys: NodeKeys;
  /** Says what takes how much room on the disk. */
  disk: () => Promise<DiskAnswer>;
  /** What the node knows of a shared database. It is undefined when the books are in the data folder. */
  shared?: { readonly ownReplica: string; readonly aboutServer: () => Promise<AboutServer> } | undefined;
  /** Reads files of the archive. */
  readArchive: ReadArchive;
  /** Say how the clock of this computer stands to those of others. */
  witnesses: Pick<ClockWitnesses, 'difference'>;
  /** How many files the system lets the node have open. It is undefined where there is no limit, or nobody tells it. */
  openFiles?: number | undefined;
  /** Says since when the node has been refusing requests because it has too much to do. */
  refusals?: Pick<Refusals, 'current'>;
  /** What the last look at the public address has found. */
  lastLook: LastLook;
  /** Verifies that nobody has changed the activity log. */
  activityCheck: ActivityCheck;
  /** What the audit has found in the books. */
  audit: Pick<AuditBook, 'damages' | 'failedAt'>;
  /** How the node was configured when it started. The other members are in `about`. */
  configuration: Omit<
    NodeConfiguration,
    'version' | 'host' | 'publicUrl' | 'development' | 'database' | 'ilpAddress' | 'certificateEndsAt'
  >;
  /** The facts that do not change while the node runs. */
  about: Omit<NodeInfo, 'now' | 'timeZone' | 'dayEndsAt' | 'connected'>;
}
