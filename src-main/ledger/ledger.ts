import { and, eq, gte, lte, or, sql } from 'drizzle-orm';
import { type Amount, type Asset, assetKey, MAX_MOVED } from '../../src-shared/amounts.ts';
import { prepared, type Reader, type Tx } from '../platform/database/database.ts';
import { placeholdersOf } from '../platform/database/placeholders.ts';
import { together } from '../platform/database/together.ts';
import { newId } from '../platform/ids.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { refuseDamaged } from './audit/damages.ts';
import { countQuarter } from './days.ts';
import { nextNumber, recordFurther } from './growing.ts';
import { type AccountKind, isExchange, ledgerAccounts, ledgerTransfers } from './tables.ts';
import type { TransferKind } from './transfer-kinds.ts';

/**
 * The id of a ledger account. The owner is a wallet address for `customer` and `escrow`, a peer for `peer`, and an
 * asset for the others.
 */
export const accountId = (kind: AccountKind, owner: string): string => `${kind}:${owner}`;

/** The owner of the ledger account with this id. It is undefined when the account is of another kind. */
export const ownerOf = (kind: AccountKind, id: string): string | undefined =>
  id.startsWith(accountId(kind, '')) ? id.slice(accountId(kind, '').length) : undefined;

export interface Transfer {
  /** The caller gives an id when a repetition must be recognised; see {@link transferOnce}. */
  id?: string;
  kind: TransferKind;
  /** The ids of the two ledger accounts. */
  debit: string;
  credit: string;
  /** The amount in smallest units, 1 to 2^63−1, in the one asset that both ledger accounts have. */
  amount: bigint;
  paymentId?: string;
  note?: string;
  /**
   * Whether the payment has moved money in the same way before. Then the movement needs no row of its own; see
   * growing.ts.
   */
  isFurther?: boolean;
  /**
   * Whether the transfer ends a payment: what is left leaves escrow. That is nothing new, so it happens on damaged
   * accounts, too.
   */
  isEnding?: boolean;
  /** The time at which the money moves, in milliseconds since the Unix epoch. */
  at: number;
}

/**
 * The reason why money does not move. `insufficient`: the debited ledger account has less than that to spend.
 * `too_large`: a balance would leave the range of signed 64 bits.
 */
type TransferRefusal = 'insufficient' | 'too_large';

/** `id_taken`: the id of the transfer is that of another one. */
export type OnceRefusal = TransferRefusal | 'id_taken';

const $ = sql.placeholder;

const insertAccount = prepared((tx: Tx) =>
  tx
    .insert(ledgerAccounts)
    .values({ ...placeholdersOf(ledgerAccounts), balance: 0n, pending: 0n, overdraft: sql`0` })
    .onConflictDoNothing()
    .prepare(),
);

/** Opens the ledger accounts of a wallet address, and those of its asset that do not exist yet. */
export async function openAccounts(tx: Tx, walletAddressId: string, asset: Asset, at: number): Promise<void> {
  const owners = { customer: walletAddressId, escrow: walletAddressId, exchange: assetKey(asset), external: assetKey(asset) };
  for (const [kind, owner] of Object.entries(owners)) {
    await insertAccount(tx).execute({ id: `${kind}:${owner}`, kind, ...asset, createdAt: at });
  }
}

const spendable = and(
  eq(ledgerAccounts.id, $('id')),
  // The subtraction is on the right, where no result can leave 64 bits. SQLite would go on with inexact numbers
  // otherwise.
  or(
    sql`${ledgerAccounts.balance} - ${ledgerAccounts.pending} >= ${$('amount')} - ${ledgerAccounts.overdraft}`,
    and(eq(ledgerAccounts.kind, 'external'), sql`${ledgerAccounts.balance} >= ${$('amount')} - ${MAX_MOVED}`),
  ),
);
const asset = { assetCode: ledgerAccounts.assetCode, assetScale: ledgerAccounts.assetScale };

const takeBalance = prepared((tx: Tx) =>
  tx
    .update(ledgerAccounts)
    .set({ balance: sql`${ledgerAccounts.balance} - ${$('amount')}` })
    .where(spendable)
    .returning(asset)
    .prepare(),
);
const giveBalance = prepared((tx: Tx) =>
  tx
    .update(ledgerAccounts)
    .set({ balance: sql`${ledgerAccounts.balance} + ${$('amount')}` })
    .where(and(eq(ledgerAccounts.id, $('id')), lte(ledgerAccounts.balance, sql`${MAX_MOVED} - ${$('amount')}`)))
    .returning(asset)
    .prepare(),
);
const hold = prepared((tx: Tx) =>
  tx
    .update(ledgerAccounts)
    .set({ pending: sql`${ledgerAccounts.pending} + ${$('amount')}` })
    .where(spendable)
    .returning(asset)
    .prepare(),
);
/** Takes money that is held. The condition is that of {@link spendable} for a hold that is let go. */
const takeHeldBalance = prepared((tx: Tx) =>
  tx
    .update(ledgerAccounts)
    .set({
      balance: sql`${ledgerAccounts.balance} - ${$('amount')}`,
      pending: sql`${ledgerAccounts.pending} - ${$('amount')}`,
    })
    .where(
      and(
        eq(ledgerAccounts.id, $('id')),
        gte(ledgerAccounts.pending, $('amount')),
        or(
          sql`${ledgerAccounts.balance} - ${ledgerAccounts.pending} >= - ${ledgerAccounts.overdraft}`,
          and(eq(ledgerAccounts.kind, 'external'), sql`${ledgerAccounts.balance} >= ${$('amount')} - ${MAX_MOVED}`),
        ),
      ),
    )
    .returning(asset)
    .prepare(),
);
const letGo = prepared((tx: Tx) =>
  tx
    .update(ledgerAccounts)
    .set({ pending: sql`${ledgerAccounts.pending} - ${$('amount')}` })
    .where(and(eq(ledgerAccounts.id, $('id')), gte(ledgerAccounts.pending, $('amount'))))
    .returning(asset)
    .prepare(),
);
const record = prepared((tx: Tx) =>
  tx
    .insert(ledgerTransfers)
    .values({ ...placeholdersOf(ledgerTransfers), number: sql`case when ${$('state')} = 'pending' then null else ${nextNumber} end` })
    .prepare(),
);

const pendingOne = prepared((tx: Tx) =>
  tx
    .select()
    .from(ledgerTransfers)
    .where(and(eq(ledgerTransfers.id, $('id')), eq(ledgerTransfers.state, 'pending')))
    .prepare(),
);
const setHeld = prepared((tx: Tx) =>
  tx
    .update(ledgerTransfers)
    .set({
      amount: sql`${$('amount')}`,
      state: sql`${$('state')}`,
      createdAt: sql`${$('createdAt')}`,
      number: sql`case when ${$('state')} = 'pending' then null else ${nextNumber} end`,
    })
    .where(eq(ledgerTransfers.id, $('id')))
    .prepare(),
);
const byId = prepared((reader: Reader) =>
  reader
    .select()
    .from(ledgerAccounts)
    .where(eq(ledgerAccounts.id, $('id')))
    .prepare(),
);

/**
 * Tells what a ledger account that may not go below zero can spend now: its balance less what is held.
 * @returns undefined when there is no such ledger account.
 */
export async function spendableIn(reader: Reader, id: string): Promise<bigint | undefined> {
  const [account] = await byId(reader).execute({ id });
  return account && account.balance - account.pending;
}

/** Tells what every exchange account can spend, ordered by asset: there is one for each asset of this node. */
export async function exchangeFunds(reader: Reader): Promise<Amount[]> {
  const { assetCode, assetScale } = ledgerAccounts;
  const accounts = await reader.select().from(ledgerAccounts).where(isExchange).orderBy(assetCode, assetScale);
  return accounts.map((account) => ({
    assetCode: account.assetCode,
    assetScale: account.assetScale,
    value: account.balance - account.pending,
  }));
}

const endPending = prepared((tx: Tx) =>
  tx
    .update(ledgerTransfers)
    .set({ state: sql`${$('state')}`, number: nextNumber })
    .where(and(eq(ledgerTransfers.id, $('id')), eq(ledgerTransfers.state, 'pending')))
    .returning()
    .prepare(),
);

const removePending = prepared((tx: Tx) =>
  tx
    .delete(ledgerTransfers)
    .where(and(eq(ledgerTransfers.id, $('id')), eq(ledgerTransfers.state, 'pending')))
    .returning()
    .prepare(),
);

/**
 * Moves money from one ledger account to another, within the caller's write job.
 *
 * This function may refuse after it has written. The caller then throws the refusal (`Refused`), so that the job is
 * undone.
 * @throws BooksDamaged when one of the ledger accounts is damaged, unless the transfer ends a payment.
 */
export async function transfer(tx: Tx, moved: Transfer): Promise<Result<{ id: string }, TransferRefusal>> {
  const checked = moved.isEnding === true ? undefined : refuseDamaged(tx, [moved.debit, moved.credit]);
  const [, carried] = await together([checked, carry(tx, moved)]);
  return carried.ok ? ok({ id: await write(tx, moved, 'posted') }) : carried;
}

/**
 * Moves money as {@link transfer} does, once for each id. A repetition, which names the same accounts and amount, moves
 * nothing.
 * @returns false when this was moved before. `id_taken`: the id is that of a transfer that moved something else.
 */
export async function transferOnce(tx: Tx, moved: Transfer & { id: string }): Promise<Result<boolean, OnceRefusal>> {
  const [former] = await tx.select().from(ledgerTransfers).where(eq(ledgerTransfers.id, moved.id));
  if (former !== undefined) {
    const { kind, debitAccountId, creditAccountId, amount } = former;
    const isSame = kind === moved.kind && debitAccountId === moved.debit && creditAccountId === moved.credit && amount === moved.amount;
    return isSame ? ok(false) : refuse('id_taken');
  }
  const done = await transfer(tx, moved);
  return done.ok ? ok(true) : done;
}

/**
 * Changes the balances of both ledger accounts.
 * @param from where the money is: free to spend, or held.
 * @throws Error when it should be held, and is not counted as pending.
 */
async function carry(tx: Tx, moved: Transfer, from: 'balance' | 'hold' = 'balance'): Promise<Result<void, TransferRefusal>> {
  const taking = from === 'hold' ? takeHeldBalance : takeBalance;
  const take = () => taking(tx).execute({ id: moved.debit, amount: moved.amount });
  const give = () => giveBalance(tx).execute({ id: moved.credit, amount: moved.amount });
  // Rows are changed in the order of their ids, so that on an engine with row locks two transfers never wait for each
  // other.
  const debitFirst = moved.debit < moved.credit;
  const [first, second] = await together(debitFirst ? [take(), give()] : [give(), take()]);
  const [[taken], [given]] = debitFirst ? [first, second] : [second, first];
  if (taken === undefined && from === 'hold') await assertPending(tx, moved);
  if (taken === undefined) return refuse('insufficient');
  if (given === undefined) return refuse('too_large');
  assertOneAsset(taken, given);
  if (moved.kind === 'payment') await countQuarter(tx, given, moved);
  return ok(undefined);
}

async function assertPending(tx: Tx, { debit, amount }: Transfer): Promise<void> {
  const [account] = await byId(tx).execute({ id: debit });
  if (account === undefined || account.pending < amount) throw new Error(NOT_PENDING);
}

const NOT_PENDING = 'a held transfer was not counted as pending';

/**
 * Holds the money of a transfer whose outcome is not known yet. The debited ledger account can no longer spend it, and
 * the credited one does not have it yet. {@link drawHeld}, {@link postHeld} or {@link voidHeld} ends the transfer.
 * @throws BooksDamaged when one of the ledger accounts is damaged.
 */
export async function holdTransfer(tx: Tx, moved: Transfer): Promise<Result<{ id: string }, TransferRefusal>> {
  const checked = refuseDamaged(tx, [moved.debit, moved.credit]);
  const [, [held]] = await together([checked, hold(tx).execute({ id: moved.debit, amount: moved.amount })]);
  if (held === undefined) return refuse('insufficient');
  return ok({ id: await write(tx, moved, 'pending') });
}

/**
 * Moves the held money to the credited ledger account.
 * @param isFurther the payment has moved money in the same way before; see {@link Transfer}.
 * @returns the credited ledger account. It is undefined when the transfer is not pending.
 */
export async function postHeld(tx: Tx, transferId: string, isFurther = false): Promise<string | undefined> {
  const ended = isFurther ? removePending(tx).execute({ id: transferId }) : endPending(tx).execute({ id: transferId, state: 'posted' });
  const [held] = await ended;
  if (held === undefined) return undefined;
  const { kind, debitAccountId: debit, creditAccountId: credit, amount, paymentId } = held;
  // A transfer is posted within seconds of its hold, so it counts on the day of the hold.
  const moved = { kind, debit, credit, amount, at: held.createdAt, isFurther, ...(paymentId !== null && { paymentId }) };
  if (!(await carry(tx, moved, 'hold')).ok) throw new Error('a held transfer could not be posted');
  if (isFurther) await write(tx, moved, 'posted');
  return credit;
}

/** A transfer whose money is held. */
type Held = Pick<typeof ledgerTransfers.$inferSelect, 'id' | 'kind' | 'amount' | 'paymentId' | 'createdAt'> & {
  /** The ledger accounts from which the money comes, and for which it is held. */
  debit: string;
  credit: string;
};

/** Tells what an id holds. @returns undefined when the transfer is not pending. */
export async function heldUnder(tx: Tx, transferId: string): Promise<Held | undefined> {
  const [row] = await pendingOne(tx).execute({ id: transferId });
  return row && { ...row, debit: row.debitAccountId, credit: row.creditAccountId };
}

/**
 * Moves a part, or all, of what is held. The rest stays held. A part is recorded as a transfer of its own. The time of
 * the movement is `at`, and not the time of the hold.
 *
 * Like {@link transfer}, this function may refuse after it has written. The caller then throws the refusal.
 * @param held what {@link heldUnder} has just told in the same write.
 * @param amount more than zero. The function refuses with `insufficient` when less than that is held.
 * @throws BooksDamaged when one of the ledger accounts is damaged.
 */
export async function drawHeld(
  tx: Tx,
  held: Held | undefined,
  { amount, at, isFurther = false }: { amount: bigint; at: number; isFurther?: boolean },
): Promise<Result<void, TransferRefusal>> {
  if (held === undefined || held.amount < amount) return refuse('insufficient');
  const { id, kind, debit, credit, paymentId } = held;
  const moved: Transfer = { kind, debit, credit, amount, at, isFurther, ...(paymentId !== null && { paymentId }) };
  const isAll = held.amount === amount;
  const rest = isAll
    ? { amount, state: 'posted', createdAt: BigInt(at) }
    : { amount: held.amount - amount, state: 'pending', createdAt: BigInt(held.createdAt) };
  const [, , carried] = await together([
    refuseDamaged(tx, [debit, credit]),
    setHeld(tx).execute({ id, ...rest }),
    carry(tx, moved, 'hold'),
  ]);
  if (!carried.ok) return carried;
  if (!isAll) await write(tx, moved, 'posted');
  return ok(undefined);
}

/**
 * Gives the held money back to the debited ledger account.
 * @returns the account for which it was held. It is undefined when the transfer is not pending.
 */
export async function voidHeld(tx: Tx, transferId: string): Promise<string | undefined> {
  const [held] = await endPending(tx).execute({ id: transferId, state: 'voided' });
  return (await freed(tx, held))?.creditAccountId;
}

/**
 * Ends a hold whose row is not needed any more: the caller moves the money in another way, in the same write.
 * @returns undefined when the transfer is not pending.
 */
export async function takeHeld(tx: Tx, transferId: string) {
  const [held] = await removePending(tx).execute({ id: transferId });
  return await freed(tx, held);
}

async function freed(tx: Tx, held: typeof ledgerTransfers.$inferSelect | undefined) {
  if (held === undefined) return undefined;
  const [account] = await letGo(tx).execute({ id: held.debitAccountId, amount: held.amount });
  if (account === undefined) throw new Error(NOT_PENDING);
  return held;
}

async function write(tx: Tx, moved: Transfer, state: 'posted' | 'pending'): Promise<string> {
  const { paymentId } = moved;
  if (moved.isFurther === true && paymentId !== undefined) return await recordFurther(tx, { ...moved, paymentId });
  const id = moved.id ?? newId();
  const row: Omit<typeof ledgerTransfers.$inferSelect, 'number'> = {
    id,
    kind: moved.kind,
    state,
    debitAccountId: moved.debit,
    creditAccountId: moved.credit,
    amount: moved.amount,
    paymentId: paymentId ?? null,
    note: moved.note ?? null,
    createdAt: moved.at,
  };
  await record(tx).execute(row);
  return id;
}

function assertOneAsset(a: Asset, b: Asset): void {
  if (assetKey(a) !== assetKey(b)) throw new Error('a transfer must stay within one asset');
}
