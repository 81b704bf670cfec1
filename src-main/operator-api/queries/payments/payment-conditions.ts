import { and, eq, gte, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { MAX_MOVED, MAX_STATED } from '../../../../src-shared/amounts.ts';
import type { PaymentFilter } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { needleOf, referenceNeedleOf } from '../../../payments/search-text.ts';
import { incomingPayments, outgoingPayments } from '../../../payments/tables.ts';
import { contains, withoutIndex } from '../../../platform/database/dialect.ts';
import type { Column } from '../../../platform/database/schema.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import { type AmountRange, unitsBetween } from './amount-range.ts';
import { outgoingStateOf } from './payment-rows.ts';

/** The operator's filter in SQL, for each kind of payment. It is `nothing` when no payment of that kind can match. */
export interface PaymentConditions {
  incoming: SQL | undefined | 'nothing';
  outgoing: SQL | undefined | 'nothing';
}

type Account = Pick<WalletAddress, 'id' | 'assetScale'>;

/** @param now is the time in milliseconds since the Unix epoch that decides what has expired. */
export function conditionsOf(filter: PaymentFilter, accounts: readonly Account[], now: number): PaymentConditions {
  const range = { min: filter.minAmount, max: filter.maxAmount };
  const incoming = incomingWithStatus(filter, now);
  const outgoing = filter.status === undefined ? undefined : outgoingStateOf(filter.status);
  const noAmount = accounts.every(({ assetScale }) => unitsBetween(range, assetScale) === undefined);
  return {
    incoming:
      filter.direction === 'out' || incoming === 'nothing' || noAmount
        ? 'nothing'
        : and(incoming, common(incomingPayments, filter), amountIn(range, accounts)),
    outgoing:
      filter.direction === 'in' || (filter.status !== undefined && outgoing === undefined) || noAmount
        ? 'nothing'
        : and(outgoing && isIn(outgoingPayments.state, outgoing, filter), common(outgoingPayments, filter), amountOut(range, accounts)),
  };
}

/** Whether the database may have to read many rows that do not match. For other filters an index leads to the rows. */
export const isSearch = ({ text, reference, client, minAmount, maxAmount, status }: PaymentFilter): boolean =>
  [text, reference, client, minAmount, maxAmount].some((one) => one !== undefined) || status !== undefined;

/**
 * Whether a column with an index of its own has this value. A search for words must not use that index. It would look
 * up every row for its words, which the index by time already holds.
 */
function isIn(column: Column, value: string | bigint, { text, reference, client }: PaymentFilter): SQL {
  const isWordSearch = text !== undefined || reference !== undefined || client !== undefined;
  return sql`${isWordSearch ? withoutIndex(column) : column} = ${value}`;
}

/** The conditions that both kinds of payments share. One index holds all their columns (payments/tables.ts). */
function common(table: typeof incomingPayments | typeof outgoingPayments, filter: PaymentFilter): SQL | undefined {
  const { accountId, client, createdFrom, createdBefore } = filter;
  const reference = referenceNeedleOf(filter.reference);
  return and(
    accountId === undefined ? undefined : isIn(table.walletAddressId, accountId, filter),
    client === undefined ? undefined : client === '' ? isNull(table.client) : eq(table.client, client),
    createdFrom && gte(table.createdAt, createdFrom.getTime()),
    createdBefore && lt(table.createdAt, createdBefore.getTime()),
    reference === undefined ? undefined : contains(table.search, reference),
    containing(table, needleOf(filter.text)),
  );
}

/**
 * Whether the text is in the reference, the description or the app's id. When it could be an id, the payment's id is
 * compared too.
 */
function containing(
  { search, client, id }: typeof incomingPayments | typeof outgoingPayments,
  needle: string | undefined,
): SQL | undefined {
  if (needle === undefined) return undefined;
  return or(
    contains(search, needle),
    /\s/.test(needle) ? undefined : contains(sql`lower(${client})`, needle),
    /^[0-9a-f-]{4,36}$/.test(needle) ? contains(id, needle) : undefined,
  );
}

function incomingWithStatus(filter: PaymentFilter, now: number): SQL | undefined | 'nothing' {
  const { status } = filter;
  const { completed, expiresAt, received } = incomingPayments;
  if (status === undefined) return undefined;
  if (status === 'completed') return isIn(completed, 1n, filter);
  if (status === 'expired') return and(eq(completed, false), lte(expiresAt, now));
  if (status !== 'waiting' && status !== 'receiving') return 'nothing';
  const open = and(eq(completed, false), or(isNull(expiresAt), sql`${expiresAt} > ${BigInt(now)}`));
  return and(open, status === 'waiting' ? eq(received, 0n) : sql`${received} > 0`);
}

/** Compares the amount that was asked for, or what has been received when no amount was asked for. */
function amountIn(range: AmountRange, accounts: readonly Account[]): SQL | undefined {
  const { incomingAmount, received } = incomingPayments;
  return perScale(range, accounts, incomingPayments, (least, most) =>
    or(
      and(gte(incomingAmount, least), lte(incomingAmount, most === MAX_MOVED ? MAX_STATED : most)),
      and(isNull(incomingAmount), gte(received, least), lte(received, most)),
    ),
  );
}

/** Compares the amount that was to be sent. */
function amountOut(range: AmountRange, accounts: readonly Account[]): SQL | undefined {
  const { debitAmount } = outgoingPayments;
  return perScale(range, accounts, outgoingPayments, (least, most) => and(gte(debitAmount, least), lte(debitAmount, most)));
}

/** A bound in whole units is another number of smallest units for each scale. */
function perScale(
  range: AmountRange,
  accounts: readonly Account[],
  table: typeof incomingPayments | typeof outgoingPayments,
  between: (least: bigint, most: bigint) => SQL | undefined,
): SQL | undefined {
  if (range.min === undefined && range.max === undefined) return undefined;
  const scales = [...new Set(accounts.map(({ assetScale }) => assetScale))];
  return or(
    ...scales.map((scale) => {
      const units = unitsBetween(range, scale);
      if (units === undefined) return undefined;
      const ids = accounts.filter(({ assetScale }) => assetScale === scale).map(({ id }) => id);
      const condition = between(units.least, units.most);
      return scales.length === 1 ? condition : and(inArray(table.walletAddressId, ids), condition);
    }),
  );
}
