import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';

/**
 * The operations that a locked console allows. The lock screen needs them, and they tell nothing about money or people.
 * Every other operation is refused, and so is an operation that is new in the contract.
 */
const WHILE_LOCKED: readonly OperationName[] = [
  'lock.state',
  'lock.now',
  'lock.open',
  // While the console is locked, it tells only about the lock (live/changes.ts).
  'node.changes',
];

const allowed: ReadonlySet<string> = new Set(WHILE_LOCKED);

/** Whether a locked console allows the operation at `path` of the contract. */
export const mayWhileLocked = (path: readonly string[]): boolean => allowed.has(path.join('.'));
