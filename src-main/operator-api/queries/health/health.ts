import { type Asset, assetKey } from '../../../../src-shared/amounts.ts';
import type { HealthCheck } from '../../../../src-shared/operator-contract/node.ts';

/** The balances of all ledger accounts of one asset together, those outside included: zero in books that are right. */
export interface AssetSum extends Asset {
  sum: bigint;
}

/** The node's own certificate. */
export interface CertificateCondition {
  /** How long it still counts; less than zero once it has ended. */
  remainingMs: number;
  /** Whether it counts already. */
  begun: boolean;
  /** The host of the public address, when it is not for that. */
  notFor: string | undefined;
  /** Why a newer one is not in use. */
  problem: string | undefined;
}

export interface Condition {
  /** Why the last writes could not be stored, if they could not. */
  notStored: Error | undefined;
  sums: readonly AssetSum[];
  /** Outgoing payments that have been under way for more than ten minutes. */
  stuck: number;
  /** Outgoing payments whose outcome only the operator can find out. */
  unknown: number;
  reachable: boolean;
  certificate: CertificateCondition | undefined;
}

/** Whether the node is well, in words an operator can act on. */
export function healthChecks({ notStored, sums, stuck, unknown, reachable, certificate }: Condition): HealthCheck[] {
  const unbalanced = sums.filter(({ sum }) => sum !== 0n).map(assetKey);
  return [
    notStored === undefined
      ? { name: 'database', state: 'good', words: 'Every change is stored safely.' }
      : { name: 'database', state: 'bad', words: notStored.message },
    unbalanced.length === 0
      ? { name: 'ledger', state: 'good', words: 'The books balance in every currency.' }
      : {
          name: 'ledger',
          state: 'bad',
          words: `The books do not balance in ${unbalanced.join(', ')}. Stop the node and keep a copy of the data folder before you go on.`,
        },
    paymentsCheck(stuck, unknown),
    reachable
      ? { name: 'reachable', state: 'good', words: 'The node has a public address.' }
      : {
          name: 'reachable',
          state: 'warning',
          words: 'Only this computer can reach the node. Give it a public address so that apps elsewhere can.',
        },
    ...(certificate === undefined ? [] : [certificateCheck(certificate)]),
  ];
}

const DAY_MS = 24 * 60 * 60_000;
/** Time enough to renew it without haste. */
const WARN_MS = 14 * DAY_MS;

function certificateCheck({ remainingMs, begun, notFor, problem }: CertificateCondition): HealthCheck {
  const days = Math.floor(remainingMs / DAY_MS);
  const replace = 'Put the new files in the place of the old ones; the node takes them by itself.';
  const renew = `Renew it. ${replace}`;
  if (remainingMs <= 0) return { name: 'certificate', state: 'bad', words: `The certificate has ended, and nobody can connect. ${renew}` };
  if (!begun)
    return {
      name: 'certificate',
      state: 'bad',
      words: 'The certificate does not count yet, and nobody can connect. Is the clock of this computer right?',
    };
  if (notFor !== undefined)
    return {
      name: 'certificate',
      state: 'bad',
      words: `The certificate is not for ${notFor}, so nobody can connect there. Get one that is. ${replace}`,
    };
  if (problem !== undefined) return { name: 'certificate', state: 'warning', words: `The new certificate is not in use. ${problem}` };
  return remainingMs <= WARN_MS
    ? { name: 'certificate', state: 'warning', words: `The certificate ends in ${days === 1 ? 'one day' : `${days} days`}. ${renew}` }
    : { name: 'certificate', state: 'good', words: `The certificate is good for another ${days} days.` };
}

function paymentsCheck(stuck: number, unknown: number): HealthCheck {
  const late = `${stuck === 1 ? 'One payment has' : `${stuck} payments have`} been under way for more than 10 minutes. Look at the payments that are being retried.`;
  const open = `${unknown === 1 ? 'One payment needs' : `${unknown} payments need`} you: nobody has told your node whether the money arrived. Look at the payments with the status “Needs you”.`;
  const words = [...(unknown > 0 ? [open] : []), ...(stuck > 0 ? [late] : [])];
  if (words.length === 0) return { name: 'payments', state: 'good', words: 'No payment is stuck.' };
  return { name: 'payments', state: 'warning', words: words.join(' ') };
}
