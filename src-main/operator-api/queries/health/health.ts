import type { Asset } from '../../../../src-shared/amounts.ts';
import type { CertificateProblem, DamageValue, HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import { CERTIFICATE_ENDS_SOON_MS, DAY_MS } from '../../../../src-shared/warning-times.ts';
import { isDamage } from '../../../platform/database/damage.ts';
import { BooksWentBack, DatabaseHeld, DatabaseStopped } from '../../../platform/database/database.ts';

/**
 * The sum of the balances of all ledger accounts of one asset, including the external ones. It is zero when the books
 * are right.
 */
export interface AssetSum extends Asset {
  sum: bigint;
}

export interface CertificateCondition {
  /** How long it is still valid, in milliseconds; negative after it has ended. */
  remainingMs: number;
  /** Whether its validity has begun. */
  begun: boolean;
  /** The host of the public address. */
  host: string;
  /** Whether visitors of `host` accept it. */
  isForHost: boolean;
  /** Why newer files are not in use. */
  problem: CertificateProblem | undefined;
}

interface Condition {
  /** Why the last writes could not be stored, if they could not. */
  notStored: Error | undefined;
  sums: readonly AssetSum[];
  damages: readonly DamageValue[];
  /** Whether the books are in a shared database. */
  isShared: boolean;
  /** Outgoing payments that have been under way for more than ten minutes. */
  stuck: number;
  /** Outgoing payments whose outcome only the operator can find out. */
  unknown: number;
  reachable: boolean;
  certificate: CertificateCondition | undefined;
}

/** Judges whether the node is well, and gives facts that the operator can act on. */
export function healthChecks(condition: Condition): HealthCheck[] {
  const { notStored, sums, damages, isShared, stuck, unknown, reachable, certificate } = condition;
  const unbalanced = sums.filter(({ sum }) => sum !== 0n).map(({ assetCode, assetScale }) => ({ assetCode, assetScale }));
  const problem = databaseProblem(notStored, damages, isShared);
  return [
    { name: 'database', state: problem === null ? 'good' : 'bad', problem },
    {
      name: 'ledger',
      state: unbalanced.length === 0 && damages.length === 0 ? 'good' : 'bad',
      unbalanced,
      damages: [...damages],
      isShared,
    },
    { name: 'payments', state: stuck === 0 && unknown === 0 ? 'good' : 'warning', stuck, unknown },
    { name: 'reachable', state: reachable ? 'good' : 'warning' },
    ...(certificate === undefined ? [] : [certificateCheck(certificate)]),
  ];
}

function databaseProblem(
  notStored: Error | undefined,
  damages: readonly DamageValue[],
  isShared: boolean,
): Extract<HealthCheck, { name: 'database' }>['problem'] {
  if (isDamage(notStored) || damages.some(({ finding }) => finding === 'unreadable')) return isShared ? 'damaged_at_server' : 'damaged';
  if (notStored === undefined) return null;
  if (notStored instanceof BooksWentBack) return 'went_back';
  if (notStored instanceof DatabaseStopped) return 'writes_stopped';
  return notStored instanceof DatabaseHeld ? 'held' : 'not_stored';
}

function certificateCheck(certificate: CertificateCondition): HealthCheck {
  const { remainingMs, host, problem } = certificate;
  const facts = { name: 'certificate' as const, days: Math.floor(remainingMs / DAY_MS), host, newer: problem ?? null };
  if (remainingMs <= 0) return { ...facts, state: 'bad', finding: 'ended' };
  if (!certificate.begun) return { ...facts, state: 'bad', finding: 'not_begun' };
  if (!certificate.isForHost) return { ...facts, state: 'bad', finding: 'other_name' };
  if (problem !== undefined) return { ...facts, state: 'warning', finding: 'newer_not_used' };
  return remainingMs <= CERTIFICATE_ENDS_SOON_MS
    ? { ...facts, state: 'warning', finding: 'ends_soon' }
    : { ...facts, state: 'good', finding: 'valid' };
}
