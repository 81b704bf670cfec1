import type { OperationName } from '../../src-shared/operator-contract/contract.ts';
import { type Audience, type Role, readers } from '../../src-shared/people/roles.ts';
import { stateCell, useStateCell } from './state-cell.ts';

/** Who is signed in, as the node has told it. Software with a key has no person. */
interface You {
  person: { id: string; name: string } | null;
  /** The till whose device the page is; null in the console. */
  till: { id: string; name: string } | null;
  role: Role;
  /** The names of the operations that the role may call. */
  may: readonly string[];
  /** Whether the person may only make a passkey or set a password. */
  isLimited: boolean;
  /** Whether the person came in by their PIN. */
  byPin: boolean;
  /** Whether others work with the node, too. */
  isShared: boolean;
}

/** The person at this page. It is undefined until the node has told it. */
export const you = stateCell<You | undefined>(undefined);

/**
 * Whether the role of the person at this page is in an audience. While it is unknown, nothing is hidden: the node
 * refuses what may not be.
 */
export function mayOf(current: You | undefined, audience: Audience): boolean {
  return current === undefined || audience.includes(current.role);
}

export const useMay = (audience: Audience): boolean => mayOf(useStateCell(you), audience);

/** Whether the node lets the person at this page call an operation. */
export const mayCallOf = (current: You | undefined, operation: OperationName): boolean =>
  current === undefined || current.may.includes(operation);

export const useMayCall = (operation: OperationName): boolean => mayCallOf(useStateCell(you), operation);

/** The till whose device this page is. It is null in the console. */
export const useTill = (): You['till'] => useStateCell(you)?.till ?? null;

/** Whether the person may read the books. A cashier may not, so the page must not ask for what lies in them. */
export const useMayRead = (): boolean => useMay(readers);
