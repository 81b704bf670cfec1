import { type Middleware, ORPCError, type ORPCErrorConstructorMap } from '@orpc/server';
import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';
import { TILL_ERRORS, TILL_OPERATIONS, type TillError, type TillRule } from '../../../src-shared/operator-contract/devices/paired-tills.ts';
import { z } from '../../../src-shared/zod.ts';
import type { Reader } from '../../platform/database/database.ts';
import { checked, isStream } from '../streams.ts';
import { isOwnSale } from './own-sales.ts';
import type { PairedDevice } from './paired-device.ts';

/** The error of a device that is refused. */
export function tillError(code: TillError): ORPCError<TillError, undefined> {
  const { status, message } = TILL_ERRORS[code];
  return new ORPCError(code, { status, message });
}

const isOperation = (name: string): name is OperationName => Object.hasOwn(TILL_OPERATIONS, name);

/** The rule for an operation. What is not in the list is refused. */
const ruleOf = (name: string): TillRule | undefined => (isOperation(name) ? TILL_OPERATIONS[name] : undefined);

/** The names of the operations that the device of a till may call. */
export const operationsForTills = (): string[] => Object.keys(TILL_OPERATIONS);

/** What names a sale in the input of an operation. The operation parses the rest. */
const OfSale = z.object({ id: z.string().max(100), kind: z.literal('sale').optional() });

/** The part of the operations' context that the guard uses. */
interface AtTill {
  /** The device of a till, when one calls. */
  till?: PairedDevice | undefined;
  database: { readonly read: Reader };
}

/**
 * Runs before every operation, and refuses to the device of a till what is not in the list. A sale of somebody else
 * does not exist for it. It looks again before each value of an answer that is still being streamed.
 */
export const tillGuard: Middleware<
  AtTill,
  Record<never, never>,
  unknown,
  unknown,
  ORPCErrorConstructorMap<Record<never, never>>,
  object
> = async ({ context: { till, database }, path, next }, input) => {
  if (till === undefined) return await next();
  const rule = ruleOf(path.join('.'));
  if (rule === undefined) throw tillError('TILL_MAY_NOT');
  if (rule === 'sale') {
    const named = OfSale.safeParse(input);
    const isOwn = named.success && (await isOwnSale(database.read, till.id, named.data.id));
    if (!isOwn) throw new ORPCError('NOT_FOUND', { status: 404, message: 'This till has made no such sale.' });
  }
  const result = await next();
  const check = () => refuseTill(database.read, till);
  return isStream(result.output) ? { ...result, output: checked(result.output, check) } : result;
};

/** Asks whether the device may still sell. @throws ORPCError when not. */
export async function refuseTill(reader: Reader, till: PairedDevice | undefined): Promise<void> {
  const why = await till?.refusalIn(reader);
  if (why !== undefined) throw tillError(why);
}
