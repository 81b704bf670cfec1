import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';

/**
 * What a locked console may still do: what its lock screen needs, and nothing that tells of money or people. Every other
 * operation is refused, also one that is new to the contract.
 */
export const WHILE_LOCKED: readonly OperationName[] = [
  'lock.state',
  'lock.now',
  'lock.open',
  // It tells of the lock alone while the console is locked; see live/changes.ts.
  'node.changes',
];

const allowed: ReadonlySet<string> = new Set(WHILE_LOCKED);

/** Whether a locked console may do the operation at `path` of the contract. */
export const mayWhileLocked = (path: readonly string[]): boolean => allowed.has(path.join('.'));
