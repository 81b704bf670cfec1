import { ORPCError } from '@orpc/server';
import { eq, inArray, type SQL } from 'drizzle-orm';
import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';
import { ACCOUNT_BOUNDS, type AccountBound, KEY_PARTS } from '../../../src-shared/operator-contract/devices/key-rules.ts';
import { KEY_MAY_NOT, KEY_OF_ACCOUNTS, type KeyGroup } from '../../../src-shared/people/key-groups.ts';
import type { Role } from '../../../src-shared/people/roles.ts';
import { z } from '../../../src-shared/zod.ts';
import { findClaim } from '../../payments/refunds/claim-rows.ts';
import { refunds } from '../../payments/refunds/tables.ts';
import { incomingPayments, outgoingPayments } from '../../payments/tables.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { Column } from '../../platform/database/schema.ts';

/** What a key may do less than its role (decisions.md#D-183). */
export interface Narrowed {
  /** The groups for which it was made. It is undefined for all that its role may do. */
  readonly groups?: ReadonlySet<KeyGroup> | undefined;
  /** The ids of the accounts for which it was made. It is undefined for all accounts. */
  readonly accounts?: ReadonlySet<string> | undefined;
}

const isOperation = (name: string): name is OperationName => Object.hasOwn(KEY_PARTS, name);

const boundOf = (name: string): AccountBound | undefined => (isOperation(name) ? ACCOUNT_BOUNDS[name] : undefined);

/** Whether an operation is in a group of the key. What is in no list is refused. */
function isChosen(name: string, { groups }: Narrowed): boolean {
  const part = isOperation(name) ? KEY_PARTS[name] : 'owner';
  if (part === 'always') return true;
  if (part === 'persons' || part === 'owner') return false;
  return groups === undefined || groups.has(part);
}

/** Whether a key may call an operation with some input, as far as its role goes. */
export const keyMayCall = (name: string, narrowed: Narrowed): boolean =>
  isChosen(name, narrowed) && (narrowed.accounts === undefined || boundOf(name) !== undefined);

interface Call {
  narrowed?: Narrowed | undefined;
}

/** The accounts as a list for a query. It is undefined where there is no bound. */
export const onlyAccounts = ({ narrowed }: Call): string[] | undefined => narrowed?.accounts && [...narrowed.accounts];

/** The condition that a row belongs to an account of the caller. It is undefined where there is no bound. */
export function ofOwnAccounts(call: Call, column: Column): SQL | undefined {
  const only = onlyAccounts(call);
  return only && inArray(column, only);
}

/** Whether an account is among those of the caller. */
export const isOwnAccount = ({ narrowed }: Call, id: string): boolean => narrowed?.accounts === undefined || narrowed.accounts.has(id);

/** Whether the caller reads payments of every kind. Whoever does not hears of payment requests, and of no others. */
export const readsPayments = ({ role, narrowed }: Call & { role?: Role | undefined }): boolean =>
  role !== 'cashier' && (narrowed?.groups === undefined || narrowed.groups.has('readPayments'));

/** Whether the groups of a key let it refund payments of every kind. */
export const mayRefund = ({ narrowed }: Call): boolean => narrowed?.groups?.has('refund') === true;

interface Asked {
  readonly name: string;
  readonly input: unknown;
  /** What the operation answers about a thing that does not exist. */
  readonly notFound?: { status?: number | undefined; message?: string | undefined } | undefined;
}

/**
 * Refuses what a key was not made for. What belongs to another account does not exist for it: the answer is the same as
 * about an id that nothing has.
 * @throws ORPCError
 */
export async function refuseBeyond(reader: Reader, narrowed: Narrowed, { name, input, notFound = {} }: Asked): Promise<void> {
  if (!isChosen(name, narrowed)) throw refusal(KEY_MAY_NOT);
  const { accounts } = narrowed;
  if (accounts === undefined) return;
  const bound = boundOf(name);
  if (bound === undefined) throw refusal(KEY_OF_ACCOUNTS);
  if (bound === 'none' || bound === 'rows') return;
  const named = await accountsNamed(reader, bound, input);
  if (named.length > 0 && named.every((id) => accounts.has(id))) return;
  throw new ORPCError('NOT_FOUND', { status: notFound.status ?? 404, message: notFound.message });
}

const refusal = ({ code, status, message }: typeof KEY_MAY_NOT | typeof KEY_OF_ACCOUNTS) => new ORPCError(code, { status, message });

/** Values that name something. The operation parses the rest. */
const Named = z.record(z.string(), z.unknown());
const Name = z.string().max(100);

/**
 * The accounts of everything that has the id in the input. Nobody can hide a payment of another account behind one of
 * their own that they have made under the same id.
 */
async function accountsNamed(reader: Reader, bound: Exclude<AccountBound, string>, input: unknown): Promise<string[]> {
  const given = Named.safeParse(input);
  const named = given.success ? given.data : {};
  const id = Name.safeParse(Object.values(bound).map((member) => named[member])[0]);
  if (!id.success) return [];
  if ('account' in bound) return [id.data];
  if ('payment' in bound) return await accountsOfPayment(reader, id.data);
  if ('claim' in bound) return await accountsOfReceived(reader, (await findClaim(reader, id.data))?.incomingPaymentId);
  return named.kind === 'refund' ? await accountsOfRefund(reader, id.data) : await accountsOfReceived(reader, id.data);
}

async function accountsOfPayment(reader: Reader, id: string): Promise<string[]> {
  const sent = await reader.select({ id: outgoingPayments.walletAddressId }).from(outgoingPayments).where(eq(outgoingPayments.id, id));
  return [...(await accountsOfReceived(reader, id)), ...sent.map((row) => row.id)];
}

async function accountsOfReceived(reader: Reader, id: string | undefined): Promise<string[]> {
  if (id === undefined) return [];
  const rows = await reader.select({ id: incomingPayments.walletAddressId }).from(incomingPayments).where(eq(incomingPayments.id, id));
  return rows.map((row) => row.id);
}

async function accountsOfRefund(reader: Reader, id: string): Promise<string[]> {
  const [refund] = await reader.select({ payment: refunds.incomingPaymentId }).from(refunds).where(eq(refunds.id, id));
  return await accountsOfReceived(reader, refund?.payment);
}
