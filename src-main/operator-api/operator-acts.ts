import type { ActivityKind } from '../../src-shared/operator-contract/activity.ts';
import type { contract } from '../../src-shared/operator-contract/contract.ts';
import { Act } from '../journal/acting.ts';
import type { EventType } from '../journal/event-types.ts';

/** The dotted paths of everything in `T` that is an operation. */
type PathsOf<T> = { [K in keyof T & string]: T[K] extends { '~orpc': unknown } ? K : `${K}.${PathsOf<T[K]>}` }[keyof T & string];
export type OperationName = PathsOf<typeof contract>;

interface Logged {
  readonly kind: ActivityKind;
  readonly event: EventType;
}

const does = (kind: ActivityKind, event: EventType): Logged => ({ kind, event });
/** It changes nothing an operator would have to answer for. */
const reads = null;

/**
 * What each operation does that goes into the log of activities, and the event that says it was done. An operation that is missing here does not compile.
 */
const OPERATIONS: Readonly<Record<OperationName, Logged | null>> = {
  'lock.state': reads,
  'lock.now': does('sign_ins', 'console.locked'),
  'lock.open': does('sign_ins', 'console.unlocked'),
  'lock.inUse': reads,
  'lock.protect': does('settings', 'lock.set'),
  'lock.changePassphrase': does('settings', 'lock.changed'),
  'lock.removePassphrase': does('settings', 'lock.removed'),
  'lock.changeSettings': does('settings', 'lock.changed'),
  'node.info': reads,
  'node.overview': reads,
  'node.changes': reads,
  'settings.node': reads,
  'desktop.get': reads,
  'desktop.change': does('settings', 'settings.changed'),
  'accounts.list': reads,
  'accounts.get': reads,
  'accounts.movements': reads,
  'accounts.create': does('accounts', 'account.created'),
  'accounts.deposit': does('money', 'account.deposited'),
  'accounts.withdraw': does('money', 'account.withdrawn'),
  'accounts.keys.list': reads,
  'accounts.keys.add': does('accounts', 'client_key.added'),
  'accounts.keys.revoke': does('accounts', 'client_key.revoked'),
  'payments.list': reads,
  'payments.summary': reads,
  'payments.get': reads,
  'payments.export': does('exports', 'payments.exported'),
  'payments.resolve': does('payments', 'outgoing_payment.resolved'),
  'payments.complete': does('payments', 'incoming_payment.completed'),
  'payments.payee': reads,
  // A price binds nobody until it is paid.
  'payments.quote': reads,
  'payments.pay': does('payments', 'outgoing_payment.created'),
  'requests.open': reads,
  'requests.get': reads,
  'requests.create': does('payments', 'incoming_payment.created'),
  'approvals.list': reads,
  'approvals.get': reads,
  'approvals.approve': does('access', 'grant.approved'),
  'approvals.deny': does('access', 'grant.denied'),
  'apps.grants': reads,
  'apps.grant': reads,
  'apps.rotateToken': does('access', 'token.rotated'),
  'apps.revokeToken': does('access', 'token.revoked'),
  'apps.allowAgain': does('access', 'grant.allowed_again'),
  'apps.revokeGrant': does('access', 'grant.revoked'),
  'apps.revokeAll': does('access', 'grant.revoked'),
  'peers.list': reads,
  'peers.self': reads,
  'peers.add': does('peers', 'peer.added'),
  'peers.edit': does('peers', 'peer.changed'),
  'peers.renewToken': does('peers', 'peer.changed'),
  'peers.pause': does('peers', 'peer.changed'),
  'peers.resume': does('peers', 'peer.changed'),
  'peers.remove': does('peers', 'peer.removed'),
  'peers.settle': does('money', 'peer.settled'),
  // It sends a packet without money, and changes nothing.
  'peers.test': reads,
  'rates.list': reads,
  'rates.set': does('rates', 'rate.set'),
  'rates.remove': does('rates', 'rate.removed'),
  'rates.funds': reads,
  'rates.fund': does('money', 'exchange.funded'),
  'rates.withdraw': does('money', 'exchange.withdrawn'),
  'backups.status': reads,
  'backups.make': does('backups', 'backup.made'),
  'backups.setSchedule': does('backups', 'backup.scheduled'),
  'backups.removeSchedule': does('backups', 'backup.unscheduled'),
  'restore.last': reads,
  // Until it is started nothing of the node changes.
  'restore.begin': reads,
  'restore.part': reads,
  'restore.look': reads,
  'restore.start': does('backups', 'node.replaced'),
  'restore.discard': reads,
  'health.reach': reads,
  'health.log': reads,
  'health.supportBundle': does('exports', 'support.bundled'),
  'activity.list': reads,
  'activity.export': does('exports', 'activity.exported'),
};

/** What the operator does beside the operations of the contract. */
const OTHERS = {
  'session.signIn': does('sign_ins', 'operator.signed_in'),
  'session.signOut': does('sign_ins', 'operator.signed_out'),
  'backups.restore': does('backups', 'node.restored'),
} as const;

const ALL: Readonly<Record<string, Logged | null>> = { ...OPERATIONS, ...OTHERS };

/** The act of an operation; undefined for one that only reads, or that there is not. */
export function actNamed(operation: string): Act | undefined {
  const logged = Object.hasOwn(ALL, operation) ? ALL[operation] : undefined;
  return logged ? new Act(operation, logged.event) : undefined;
}

/** What one of the operator's acts beside the contract is called, and which event says it was done. */
export const otherAct = (operation: keyof typeof OTHERS): Act => new Act(operation, OTHERS[operation].event);

/** What an entry of the log is about. */
export const kindOf = (operation: string): ActivityKind => ALL[operation]?.kind ?? 'settings';

/** The operations of a kind. */
export const operationsOf = (kind: ActivityKind): string[] => Object.keys(ALL).filter((operation) => ALL[operation]?.kind === kind);

/** Events that may come with an entry. */
export const LOGGED_EVENTS: ReadonlySet<EventType> = new Set(Object.values(ALL).flatMap((logged) => (logged ? [logged.event] : [])));
