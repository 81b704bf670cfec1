import { type Middleware, ORPCError, type ORPCErrorConstructorMap } from '@orpc/server';
import type { OperationMeta } from '../../../src-shared/operator-contract/operation.ts';
import { NOT_ALLOWED, type Role } from '../../../src-shared/people/roles.ts';
import type { Reader } from '../../platform/database/database.ts';

const notAllowed = () => new ORPCError(NOT_ALLOWED.code, { status: NOT_ALLOWED.status, message: NOT_ALLOWED.message });

/** The part of the operations' context that the guard uses. */
export interface Ranked {
  /** The role of the caller. Nothing is allowed without one. */
  role?: Role | undefined;
  /** Whether the caller still has what let it in. It is undefined where nobody can take that away. */
  isStillIn?: ((reader: Reader) => Promise<boolean>) | undefined;
  database: { readonly read: Reader };
}

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
> = async ({ context, procedure, next }) => {
  const { may } = procedure['~orpc'].meta;
  if (context.role === undefined || !may.includes(context.role)) throw notAllowed();
  const result = await next();
  return isStream(result.output) ? { ...result, output: untilOut(result.output, context) } : result;
};

const isStream = (output: unknown): output is AsyncIterable<unknown> =>
  typeof output === 'object' && output !== null && Symbol.asyncIterator in output;

async function* untilOut(values: AsyncIterable<unknown>, { isStillIn, database }: Ranked): AsyncGenerator<unknown> {
  for await (const value of values) {
    if (isStillIn !== undefined && !(await isStillIn(database.read))) throw notAllowed();
    yield value;
  }
}

/** Asks, in the write of an operation, whether the caller still has what let it in. @throws ORPCError when not. */
export async function refuseOut(tx: Reader, { isStillIn }: Pick<Ranked, 'isStillIn'>): Promise<void> {
  if (isStillIn !== undefined && !(await isStillIn(tx))) throw notAllowed();
}
