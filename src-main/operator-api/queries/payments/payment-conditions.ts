import { and, eq, gte, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { MAX_MOVED, MAX_STATED } from '../../../../src-shared/amounts.ts';
import type { PaymentFilter } from '../../../../src-shared/operator-contract/payments.ts';
import { needleOf, referenceNeedleOf } from '../../../payments/search-text.ts';
import { incomingPayments, outgoingPayments } from '../../../payments/tables.ts';
import { contains, withoutIndex } from '../../../platform/database/dialect.ts';
import type { Column } from '../../../platform/database/schema.ts';
import type { WalletAddress } from '../../../wallet-addresses/wallet-addresses.ts';
import { type AmountRange, unitsBetween } from './amount-range.ts';
import { outgoingStateOf } from './payment-rows.ts';

/** What the operator's filters mean in SQL, for each kind of payment; `nothing` where none of that kind can match. */
export interface PaymentConditions {
  incoming: SQL | undefined | 'nothing';
  outgoing: SQL | undefined | 'nothing';
}

type Account = Pick<WalletAddress, 'id' | 'assetScale'>;

/** @param now milliseconds since the Unix epoch: what has expired by then */
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

/** Whether finding the rows may mean reading many that do not match: an index leads to the others. */
export const isSearch = ({ text, reference, client, minAmount, maxAmount, status }: PaymentFilter): boolean =>
  [text, reference, client, minAmount, maxAmount].some((one) => one !== undefined) || status !== undefined;

/**
 * A column that has an index of its own has this value. A search for words must not use that index: it would look up
 * every row for its words, which the index by time holds itself.
 */
function isIn(column: Column, value: string | bigint, { text, reference, client }: PaymentFilter): SQL {
  const isWordSearch = text !== undefined || reference !== undefined || client !== undefined;
  return sql`${isWordSearch ? withoutIndex(column) : column} = ${value}`;
}

/** What both kinds have alike. All of it lies in one index; see payments/tables. */
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

/** Whether the text is in the reference, the description, the app's address or, when it could be, in the id. */
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

/** What was asked for; where no amount was, what has been received. */
function amountIn(range: AmountRange, accounts: readonly Account[]): SQL | undefined {
  const { incomingAmount, received } = incomingPayments;
  return perScale(range, accounts, incomingPayments, (least, most) =>
    or(
      and(gte(incomingAmount, least), lte(incomingAmount, most === MAX_MOVED ? MAX_STATED : most)),
      and(isNull(incomingAmount), gte(received, least), lte(received, most)),
    ),
  );
}

/** What was to be sent. */
function amountOut(range: AmountRange, accounts: readonly Account[]): SQL | undefined {
  const { debitAmount } = outgoingPayments;
  return perScale(range, accounts, outgoingPayments, (least, most) => and(gte(debitAmount, least), lte(debitAmount, most)));
}

/** Whole units mean another number of smallest units in accounts with other decimal places. */
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
