import { type Middleware, ORPCError, type ORPCErrorConstructorMap } from '@orpc/server';
import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';
import type { OperationMeta } from '../../../src-shared/operator-contract/operation.ts';
import { NOT_ALLOWED, NOT_BY_PIN, type Role } from '../../../src-shared/people/roles.ts';
import type { Reader } from '../../platform/database/database.ts';
import { checked, isStream } from '../streams.ts';
import { keyMayCall, type Narrowed, refuseBeyond } from './narrowed.ts';

const notByPin = () => new ORPCError(NOT_BY_PIN.code, { status: NOT_BY_PIN.status, message: NOT_BY_PIN.message });
const notAllowed = () => new ORPCError(NOT_ALLOWED.code, { status: NOT_ALLOWED.status, message: NOT_ALLOWED.message });

/** The part of the operations' context that the guard uses. */
export interface Ranked {
  /** The role of the caller. Nothing is allowed without one. */
  role?: Role | undefined;
  /** Whether the caller still has what let it in. It is undefined where nobody can take that away. */
  isStillIn?: ((reader: Reader) => Promise<boolean>) | undefined;
  /** Whether the caller may do nothing yet but make a passkey or set a password. */
  isLimited?: boolean | undefined;
  /** Whether the caller came in by a PIN. */
  byPin?: boolean | undefined;
  /** What the caller may do less than its role, when it is a key. */
  narrowed?: Narrowed | undefined;
  database: { readonly read: Reader };
}

/** What whoever has opened a sign-in link over the network may call until they have a passkey or a password. */
const WHILE_LIMITED: ReadonlySet<string> = new Set<OperationName>([
  ...(['lock.state', 'people.me', 'ways.list'] as const),
  ...(['ways.beginPasskey', 'ways.addPasskey', 'ways.beginPassword', 'ways.setPassword'] as const),
]);

/**
 * What nobody may do who came in by a PIN, which somebody may have watched: change how anybody gets in or what is
 * protected, and be the second person (decisions.md#D-285).
 */
const NEVER_BY_PIN: ReadonlySet<string> = new Set<OperationName>([
  ...(['ways.beginPasskey', 'ways.addPasskey', 'ways.removePasskey', 'ways.setPin'] as const),
  ...(['ways.beginPassword', 'ways.setPassword', 'ways.removePassword', 'ways.renewRecoveryCodes'] as const),
  ...(['people.invite', 'people.makeLink', 'people.allowAgain', 'people.change', 'people.remove', 'people.removePin'] as const),
  ...(['apiKeys.create', 'apiKeys.rotate', 'apiKeys.allowAgain'] as const),
  ...(['lock.protect', 'lock.changePassphrase', 'lock.removePassphrase', 'lock.changeSettings'] as const),
  ...(['secondPerson.set', 'waiting.confirm', 'refundLimits.set'] as const),
  ...(['restore.begin', 'restore.part', 'restore.look', 'restore.start'] as const),
]);

/** The names of the operations that a caller may call. */
export const mayCall = (
  operations: readonly string[],
  { isLimited = false, byPin = false, narrowed }: Pick<Ranked, 'isLimited' | 'byPin' | 'narrowed'> = {},
): string[] =>
  operations.filter(
    (operation) =>
      (!isLimited || WHILE_LIMITED.has(operation)) &&
      (!byPin || !NEVER_BY_PIN.has(operation)) &&
      (narrowed === undefined || keyMayCall(operation, narrowed)),
  );

/**
 * Runs before every operation on every transport, and refuses what the contract does not allow to the caller's role, or
 * to its key. It looks again before each value of an answer that is still being streamed.
 */
export const roleGuard: Middleware<
  Ranked,
  Record<never, never>,
  unknown,
  unknown,
  ORPCErrorConstructorMap<Record<never, never>>,
  OperationMeta
> = async ({ context, path, procedure, next }, input) => {
  const { meta, errorMap } = procedure['~orpc'];
  const { may } = meta;
  if (context.role === undefined || !may.includes(context.role)) throw notAllowed();
  if (context.isLimited === true && !WHILE_LIMITED.has(path.join('.'))) throw notAllowed();
  if (context.byPin === true && NEVER_BY_PIN.has(path.join('.'))) throw notByPin();
  if (context.narrowed !== undefined) {
    const asked = { name: path.join('.'), input, notFound: errorMap.NOT_FOUND };
    await refuseBeyond(context.database.read, context.narrowed, asked);
  }
  const result = await next();
  const check = () => refuseOut(context.database.read, context);
  return isStream(result.output) ? { ...result, output: checked(result.output, check) } : result;
};

/** Asks whether the caller still has what let it in. @throws ORPCError when not. */
export async function refuseOut(tx: Reader, { isStillIn }: Pick<Ranked, 'isStillIn'>): Promise<void> {
  if (isStillIn !== undefined && !(await isStillIn(tx))) throw notAllowed();
}
