import { type Middleware, ORPCError, type ORPCErrorConstructorMap } from '@orpc/server';
import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';
import type { OperationMeta } from '../../../src-shared/operator-contract/operation.ts';
import { NOT_ALLOWED, type Role } from '../../../src-shared/people/roles.ts';
import type { Reader } from '../../platform/database/database.ts';
import { checked, isStream } from '../streams.ts';

const notAllowed = () => new ORPCError(NOT_ALLOWED.code, { status: NOT_ALLOWED.status, message: NOT_ALLOWED.message });

/** The part of the operations' context that the guard uses. */
export interface Ranked {
  /** The role of the caller. Nothing is allowed without one. */
  role?: Role | undefined;
  /** Whether the caller still has what let it in. It is undefined where nobody can take that away. */
  isStillIn?: ((reader: Reader) => Promise<boolean>) | undefined;
  /** Whether the caller may do nothing yet but make a passkey or set a password. */
  isLimited?: boolean | undefined;
  database: { readonly read: Reader };
}

/** What whoever has opened a sign-in link over the network may call until they have a passkey or a password. */
const WHILE_LIMITED: ReadonlySet<string> = new Set<OperationName>([
  ...(['lock.state', 'people.me', 'ways.list'] as const),
  ...(['ways.beginPasskey', 'ways.addPasskey', 'ways.beginPassword', 'ways.setPassword'] as const),
]);

/** The names of the operations that a caller may call. */
export const mayCall = (operations: readonly string[], isLimited = false): string[] =>
  operations.filter((operation) => !isLimited || WHILE_LIMITED.has(operation));

/**
 * Runs before every operation on every transport, and refuses what the contract does not allow to the caller's role. It
 * looks again before each value of an answer that is still being streamed.
 */
export const roleGuard: Middleware<
  Ranked,
  Record<never, never>,
  unknown,
  unknown,
  ORPCErrorConstructorMap<Record<never, never>>,
  OperationMeta
> = async ({ context, path, procedure, next }) => {
  const { may } = procedure['~orpc'].meta;
  if (context.role === undefined || !may.includes(context.role)) throw notAllowed();
  if (context.isLimited === true && !WHILE_LIMITED.has(path.join('.'))) throw notAllowed();
  const result = await next();
  const check = () => refuseOut(context.database.read, context);
  return isStream(result.output) ? { ...result, output: checked(result.output, check) } : result;
};

/** Asks whether the caller still has what let it in. @throws ORPCError when not. */
export async function refuseOut(tx: Reader, { isStillIn }: Pick<Ranked, 'isStillIn'>): Promise<void> {
  if (isStillIn !== undefined && !(await isStillIn(tx))) throw notAllowed();
}
