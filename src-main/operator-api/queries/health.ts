import { type Asset, assetKey } from '../../../src-shared/amounts.ts';
import type { HealthCheck } from '../../../src-shared/operator-contract/node.ts';

/** The balances of all ledger accounts of one asset together, those outside included: zero in books that are right. */
export interface AssetSum extends Asset {
  sum: bigint;
}

export interface Condition {
  /** Why the database takes no more writes, if it does not. */
  stopped: Error | undefined;
  sums: readonly AssetSum[];
  /** Outgoing payments that have been under way for more than ten minutes. */
  stuck: number;
  reachable: boolean;
}

/** Whether the node is well, in words an operator can act on. */
export function healthChecks({ stopped, sums, stuck, reachable }: Condition): HealthCheck[] {
  const unbalanced = sums.filter(({ sum }) => sum !== 0n).map(assetKey);
  return [
    stopped === undefined
      ? { name: 'database', state: 'good', words: 'Every change is stored safely.' }
      : { name: 'database', state: 'bad', words: stopped.message },
    unbalanced.length === 0
      ? { name: 'ledger', state: 'good', words: 'The books balance in every currency.' }
      : {
          name: 'ledger',
          state: 'bad',
          words: `The books do not balance in ${unbalanced.join(', ')}. Stop the node and keep a copy of the data folder before you go on.`,
        },
    stuck === 0
      ? { name: 'payments', state: 'good', words: 'No payment is stuck.' }
      : {
          name: 'payments',
          state: 'warning',
          words: `${stuck === 1 ? 'One payment has' : `${stuck} payments have`} been under way for more than 10 minutes. Look at the payments that are being retried.`,
        },
    reachable
      ? { name: 'reachable', state: 'good', words: 'The node has a public address.' }
      : {
          name: 'reachable',
          state: 'warning',
          words: 'Only this computer can reach the node. Set a public URL so that apps elsewhere can.',
        },
  ];
}
