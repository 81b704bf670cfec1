import { RATE_SOURCE_PROBLEMS } from '../exchange/source-problems.ts';
import { LINK_PROBLEMS } from '../link-problems.ts';
import { PRINTER_PROBLEMS } from '../receipts/print-jobs.ts';
import { z } from '../zod.ts';
import { AssetValue } from './values.ts';

const state = z.enum(['good', 'warning', 'bad']);

/** The condition of one peer. */
export const PeerCondition = z.discriminatedUnion('code', [
  z.object({
    /**
     * `paused`: the operator has paused the peer. `owes_too_much`: the peer has used its credit. `owed_too_much`: this
     * node has used its own credit.
     */
    code: z.enum(['paused', 'owes_too_much', 'owed_too_much']),
    peer: z.string(),
  }),
  z.object({ code: z.literal('no_answer'), peer: z.string(), problem: z.enum(LINK_PROBLEMS) }),
]);

export type PeerCondition = z.infer<typeof PeerCondition>;

const pair = { base: z.string(), quote: z.string() };

/**
 * The condition of the rates that come from sources. `stopped`: the pair has no rate that counts, so the node exchanges
 * nothing. `by_hand`: the operator's own rate counts meanwhile. `jump`: a rate waits for the operator, because it is
 * too far from the one before. `source`: a source has brought nothing several times in a row.
 */
export const RateCondition = z.discriminatedUnion('code', [
  z.object({ code: z.enum(['stopped', 'by_hand', 'jump']), ...pair }),
  z.object({ code: z.literal('source'), name: z.string(), problem: z.enum(RATE_SOURCE_PROBLEMS) }),
]);
export type RateCondition = z.infer<typeof RateCondition>;

/**
 * The reason why customers elsewhere cannot pay, as far as this node knows by itself.
 * - `public_address`: it has none.
 * - `address_unreachable`: the last look at it failed, and nobody from outside has paid since.
 * - `no_common_way`: there is no peer.
 * - `peer_paused`: every peer is paused.
 * - `peer_limit`: every peer at work owes as much as it may.
 * - `peer_unreachable`: no peer at work answered the last packet that it was sent.
 */
export const OutsideObstacle = z.enum([
  'public_address',
  'address_unreachable',
  'no_common_way',
  'peer_paused',
  'peer_limit',
  'peer_unreachable',
]);
export type OutsideObstacle = z.infer<typeof OutsideObstacle>;

/**
 * What the audit can find wrong in the books.
 * - `unreadable`: a table or an index cannot be read, or contradicts the other.
 * - `balance`: the balance of an account is not the sum of its transfers.
 * - `held`: what an account holds is not the sum of its pending transfers, or not what its unfinished payments need.
 * - `owner`: the kind or the currency of an account is not that of its owner.
 * - `transfer_changed`: somebody changed final transfers.
 * - `transfer_missing`: final transfers are gone.
 * - `payment`: a payment contradicts its transfers or packets.
 * - `payment_missing`: money was moved for a payment that is gone.
 * - `in_flight`: what is under way to a peer is not the sum of its open packets, or not what is held for it.
 * - `grant`: a permission allows more than its app asked for, or counts something else than its payments spent.
 */
const DAMAGE_FINDINGS = [
  'unreadable',
  'balance',
  'held',
  'owner',
  'transfer_changed',
  'transfer_missing',
  'payment',
  'payment_missing',
  'in_flight',
  'grant',
] as const;
export type DamageFinding = (typeof DAMAGE_FINDINGS)[number];

/** Damage in the books. */
export const DamageValue = z.object({
  /** The account, peer or currency with the damage; null when nobody can tell, so that it could be each. */
  name: z.string().nullable(),
  finding: z.enum(DAMAGE_FINDINGS),
  /** A ledger account, a payment, a table or a piece of the transfers. */
  place: z.string(),
  /** The beginning of the last check that found nothing wrong; null when there was none. */
  goodAt: z.date().nullable(),
  foundAt: z.date(),
});
export type DamageValue = z.infer<typeof DamageValue>;

/** The reason why newer files of the node's own certificate are not in use. */
export const CertificateProblem = z.object({
  code: z.enum(['cert_unreadable', 'key_unreadable', 'no_certificate', 'no_key', 'key_of_another', 'unusable']),
  /** The path of the file with the problem. */
  file: z.string(),
});
export type CertificateProblem = z.infer<typeof CertificateProblem>;

/** Whether one part of the node is well, with the facts that tell why. */
export const HealthCheck = z.discriminatedUnion('name', [
  z.object({
    name: z.literal('database'),
    state,
    /**
     * `not_stored`: the last change was not stored. `held`: it was not stored either, because another program holds the
     * database. `writes_stopped`: the database takes no change until a restart. `damaged`: nobody can read a part of
     * it. `damaged_at_server`: the server of a shared database cannot. `went_back`: that server has lost changes that
     * it had stored.
     */
    problem: z.enum(['not_stored', 'held', 'writes_stopped', 'damaged', 'damaged_at_server', 'went_back']).nullable(),
  }),
  z.object({
    name: z.literal('ledger'),
    state,
    unbalanced: z.array(AssetValue),
    /** Damage that stands. No new money moves on these accounts. */
    damages: z.array(DamageValue),
    /** Whether the books are in a shared database. */
    isShared: z.boolean(),
  }),
  z.object({
    name: z.literal('payments'),
    state,
    /** How many outgoing payments have been under way for more than ten minutes. */
    stuck: z.number().int(),
    /** How many outgoing payments have an outcome that only the operator can find out. */
    unknown: z.number().int(),
  }),
  /** It is good when the node has a public URL. */
  z.object({ name: z.literal('reachable'), state }),
  z.object({
    name: z.literal('certificate'),
    state,
    finding: z.enum(['valid', 'ends_soon', 'ended', 'not_begun', 'other_name', 'newer_not_used']),
    /** Whole days until it ends; negative after that. */
    days: z.number().int(),
    /** The host of the public address. */
    host: z.string(),
    /** The reason why the newer files are not in use; null when they are. */
    newer: CertificateProblem.nullable(),
  }),
  /** It is told while at least two others could be heard in the last hour. */
  z.object({
    name: z.literal('clock'),
    state,
    /** The clock of this computer is this many seconds ahead of theirs; below zero it is behind. */
    seconds: z.number().int(),
    /** How many peers, wallets and apps were heard. */
    others: z.number().int(),
  }),
  /** Whether customers elsewhere can pay. */
  z.object({
    name: z.literal('outside'),
    state,
    missing: OutsideObstacle.nullable(),
    lastPaidAt: z.date().nullable(),
  }),
  /** It is told while there is a peer. */
  z.object({
    name: z.literal('peers'),
    state,
    problems: z.array(PeerCondition),
  }),
  /** It is told only when rates come from sources. */
  z.object({ name: z.literal('rates'), state, problems: z.array(RateCondition) }),
  /** It is told only while something is frozen. */
  z.object({
    name: z.literal('apps'),
    state,
    /** The number of permissions that the operator had allowed and that are frozen since the books were restored. */
    frozen: z.number().int(),
  }),
  z.object({
    name: z.literal('backup'),
    state,
    /**
     * `failed`: the last scheduled backup could not be made. `none`: there is no backup yet. `old`: the last one is too
     * old to help much. `same_disk`: it is recent, but does not survive the disk of the node.
     */
    finding: z.enum(['recent', 'same_disk', 'old', 'none', 'failed']),
    /** Whole days since the last one was made; null when there is none. */
    days: z.number().int().nullable(),
  }),
  z.object({
    name: z.literal('activity'),
    state,
    /** The number of the first entry of the log that was changed; null when the log is whole. */
    brokenAt: z.number().int().nullable(),
  }),
  /** It is told only when the log cannot be written, or could not since the start of the node. */
  z.object({
    name: z.literal('log'),
    state,
    /** How many lines of the log are lost since the start. */
    lost: z.number().int(),
    /** Whether the log cannot be written now. */
    waits: z.boolean(),
  }),
  /** It is told only while the check of the books ends with errors, so that damage would not be noticed. */
  z.object({ name: z.literal('audit'), state, since: z.date() }),
  /** It is told only when the system lets the node open fewer files than it may need. */
  z.object({
    name: z.literal('open_files'),
    state,
    /** How many files and connections the node may have open at a time. */
    limit: z.number().int(),
    /** How many it has open when it has much to do. */
    needed: z.number().int(),
  }),
  /** It is told only while receipts wait for a printer that has taken none for ten minutes. */
  z.object({
    name: z.literal('printer'),
    state,
    printer: z.string(),
    problem: z.enum(PRINTER_PROBLEMS),
    since: z.date(),
    waiting: z.number().int(),
  }),
  /** It is told only while the node refuses requests because it has too much to do. */
  z.object({
    name: z.literal('overload'),
    state,
    since: z.date(),
    /** How many requests were refused since then. */
    refused: z.number().int(),
  }),
]);
export type HealthCheck = z.infer<typeof HealthCheck>;
