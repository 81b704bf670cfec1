import { and, eq, gt, gte, inArray, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm';
import { MAX_MOVED, MAX_STATED } from '../../../../src-shared/amounts.ts';
import type { PaymentFilter } from '../../../../src-shared/operator-contract/payments/payments.ts';
import { exchangeFunds } from '../../../ledger/ledger.ts';
import { needleOf, referenceNeedleOf } from '../../../payments/search-text.ts';
import {
  incomingPayments,
  isNotCompleted,
  isWithoutMoney,
  type OutgoingPaymentState,
  outgoingPayments,
  paymentRequests,
} from '../../../payments/tables.ts';
import type { Reader } from '../../../platform/database/database.ts';
import { contains, withoutIndex } from '../../../platform/database/dialect.ts';
import type { Column } from '../../../platform/database/schema.ts';
import { walletAddresses } from '../../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../../context.ts';
import { onlyAccounts } from '../../people/narrowed.ts';
import { type AmountRange, unitsBetween } from './amount-range.ts';
import { outgoingStateOf } from './payment-rows.ts';

/** The operator's filter in SQL, for each kind of payment. It is `nothing` when no payment of that kind can match. */
export interface PaymentConditions {
  incoming: SQL | undefined | 'nothing';
  outgoing: SQL | undefined | 'nothing';
}

/** The scales of the node's accounts, each once. A bound in whole units is another number of units in each. */
const scalesOf = async (reader: Reader): Promise<number[]> => [
  ...new Set((await exchangeFunds(reader)).map(({ assetScale }) => assetScale)),
];

/**
 * The most accounts that a question names one by one, which is the quickest way when they are few. Naming many keeps
 * the main thread busy, and PostgreSQL takes no more than 65,535.
 */
const MOST_NAMED = 1_000;

/** The facts that a filter needs beside the payments. */
interface Known {
  scales: readonly number[];
  /** The accounts whose payments to other accounts the text may mean. It is undefined when there are none. */
  payers: SQL | undefined;
  /** The accounts of whose payments the caller may know. It is undefined for all. */
  only: readonly string[] | undefined;
}

/**
 * Reads these facts. The payers elsewhere are in the searched text of what they paid. An account of this node is not:
 * its name leads to what it paid.
 */
export async function knownFor(context: Pick<OperatorContext, 'database' | 'urls' | 'narrowed'>, filter: PaymentFilter): Promise<Known> {
  const { database, urls } = context;
  const only = onlyAccounts(context);
  const read = database.readAside;
  const needle = needleOf(filter.text);
  const scales = await scalesOf(read);
  if (needle === undefined) return { scales, payers: undefined, only };
  const { id, name, publicName } = walletAddresses;
  const url = sql`lower(${`${urls.origin}/`} || ${name})`;
  const isMeant = or(contains(url, needle), contains(sql`lower(${publicName})`, needle));
  const rows = await read
    .select({ id })
    .from(walletAddresses)
    .where(isMeant)
    .limit(MOST_NAMED + 1);
  if (rows.length === 0) return { scales, payers: undefined, only };
  const payer = outgoingPayments.walletAddressId;
  const named = rows.map((row) => row.id);
  if (named.length <= MOST_NAMED) return { scales, payers: inArray(payer, named), only };
  return { scales, payers: sql`exists (select 1 from ${walletAddresses} where ${id} = ${payer} and ${isMeant})`, only };
}

/** The condition that one of these accounts has paid the incoming payment. It is undefined when there are none. */
const paidBy = (isPayer: SQL | undefined): SQL | undefined =>
  isPayer &&
  sql`exists (select 1 from ${outgoingPayments} where ${outgoingPayments.receiverId} = ${incomingPayments.id}
    and ${outgoingPayments.delivered} > 0 and ${isPayer})`;

/** @param now is the time in milliseconds since the Unix epoch that decides what has expired. */
export function conditionsOf(filter: PaymentFilter, { scales, payers, only }: Known, now: number): PaymentConditions {
  const range = { min: filter.minAmount, max: filter.maxAmount };
  const incoming = incomingWithStatus(filter, now);
  const outgoing = filter.status === undefined ? undefined : outgoingStateOf(filter.status);
  const noAmount = scales.every((scale) => unitsBetween(range, scale) === undefined);
  return {
    incoming:
      filter.direction === 'out' || incoming === 'nothing' || noAmount
        ? 'nothing'
        : and(
            ofList(filter),
            incoming,
            common(incomingPayments, filter, paidBy(payers)),
            ofAccounts(incomingPayments, only, filter),
            amountIn(range, scales),
            ofPlace(filter),
            ofTill(filter),
          ),
    outgoing:
      filter.direction === 'in' ||
      filter.unpaid === true ||
      filter.madeAt !== undefined ||
      filter.tillId !== undefined ||
      (filter.status !== undefined && outgoing === undefined) ||
      noAmount
        ? 'nothing'
        : and(
            outgoing && isInState(outgoing, filter),
            common(outgoingPayments, filter),
            ofAccounts(outgoingPayments, only, filter),
            amountOut(range, scales),
          ),
  };
}

/** Whether the database may have to read many rows that do not match. An index leads to the rows of other filters. */
export const isSearch = ({ text, reference, client, minAmount, maxAmount, status, madeAt, tillId }: PaymentFilter): boolean =>
  [text, reference, client, minAmount, maxAmount, madeAt, tillId].some((one) => one !== undefined) || status !== undefined;

/**
 * The condition that a column with an index of its own has this value. A search for words must not use that index. It
 * would look up every row for its words, which the index by time already holds.
 */
const isIn = (column: Column, value: string | bigint, filter: PaymentFilter): SQL =>
  sql`${isWordSearch(filter) ? withoutIndex(column) : column} = ${value}`;

/**
 * The condition of a state. Most payments complete, and no index leads to them: the list by time holds hardly anything
 * else.
 */
const isInState = (state: OutgoingPaymentState, filter: PaymentFilter): SQL | undefined =>
  state === 'completed'
    ? sql`${withoutIndex(outgoingPayments.state)} = ${state}`
    : and(isNotCompleted, isIn(outgoingPayments.state, state, filter));

const isWordSearch = ({ text, reference, client }: PaymentFilter): boolean =>
  text !== undefined || reference !== undefined || client !== undefined;

/**
 * The condition that a payment belongs to an account of which the caller may know. An index leads to the payments of
 * one account; for several the list is read by time.
 */
function ofAccounts(
  { walletAddressId }: typeof incomingPayments | typeof outgoingPayments,
  only: readonly string[] | undefined,
  filter: PaymentFilter,
): SQL | undefined {
  const [one, ...others] = only ?? [];
  if (only === undefined) return undefined;
  return one !== undefined && others.length === 0 ? isIn(walletAddressId, one, filter) : sql`${withoutIndex(walletAddressId)} in ${only}`;
}

/** The conditions that both kinds of payments share. One index holds all their columns (payments/tables.ts). */
function common(table: typeof incomingPayments | typeof outgoingPayments, filter: PaymentFilter, paid?: SQL): SQL | undefined {
  const { accountId, client, createdFrom, createdBefore } = filter;
  const reference = referenceNeedleOf(filter.reference);
  return and(
    accountId === undefined ? undefined : isIn(table.walletAddressId, accountId, filter),
    client === undefined ? undefined : client === '' ? isNull(table.client) : eq(table.client, client),
    createdFrom && gte(table.createdAt, createdFrom.getTime()),
    createdBefore && lt(table.createdAt, createdBefore.getTime()),
    reference === undefined ? undefined : contains(table.search, reference),
    containing(table, needleOf(filter.text), paid),
  );
}

/**
 * Whether the text is in the reference, the description, the payer or the app's id. When it could be an id, the
 * payment's id is compared too.
 */
function containing(
  { search, client, id }: typeof incomingPayments | typeof outgoingPayments,
  needle: string | undefined,
  paid: SQL | undefined,
): SQL | undefined {
  if (needle === undefined) return undefined;
  return or(
    contains(search, needle),
    /\s/.test(needle) ? undefined : contains(sql`lower(${client})`, needle),
    /^[0-9a-f-]{4,36}$/.test(needle) ? contains(id, needle) : undefined,
    paid,
  );
}

function incomingWithStatus(filter: PaymentFilter, now: number): SQL | undefined | 'nothing' {
  const { status } = filter;
  const { completed, expiresAt, received, client, incomingAmount } = incomingPayments;
  switch (status) {
    case undefined:
      return undefined;
    case 'waiting':
      return and(isIn(completed, 0n, filter), or(isNull(expiresAt), gt(expiresAt, now)), isWithoutMoney);
    case 'expired':
      return and(isIn(completed, 0n, filter), lte(expiresAt, now), isWithoutMoney);
    case 'partly_paid':
      return and(gt(received, 0n), isNotNull(incomingAmount), sql`${received} < ${askedNumber}`);
    case 'paid':
      return and(gt(received, 0n), or(isNull(incomingAmount), sql`${received} >= ${askedNumber}`));
    case 'cancelled':
      return and(isIn(completed, 1n, filter), isWithoutMoney, isNull(client));
    case 'nothing_received':
      return and(isIn(completed, 1n, filter), isWithoutMoney, isNotNull(client));
    default:
      return 'nothing';
  }
}

/** The amount asked for as a number: it is stored as digits, and may be larger than an integer of the database. */
const askedNumber = sql`cast(${incomingPayments.incomingAmount} as numeric)`;

/**
 * The condition of the list, which shows the operator's business: what the operator asked for, and what brought money.
 * What others asked for and nobody paid has a list of its own. Each has an index with these very words, which a search
 * for words must not use; see `isIn`.
 */
function ofList(filter: PaymentFilter): SQL {
  const { client, received } = incomingPayments;
  const [asker, money] = isWordSearch(filter) ? [withoutIndex(client), withoutIndex(received)] : [client, received];
  return (filter.unpaid ?? filter.status === 'nothing_received')
    ? sql`(${asker} is not null and ${money} = 0)`
    : sql`(${asker} is null or ${money} > 0)`;
}

/** Whether a request was made at that place in the shop. The request is looked up by its id. */
const ofPlace = ({ madeAt }: PaymentFilter): SQL | undefined =>
  madeAt === undefined
    ? undefined
    : sql`exists (select 1 from ${paymentRequests} where ${paymentRequests.id} = ${incomingPayments.id} and ${paymentRequests.madeAt} = ${madeAt})`;

/** Whether a paired till made the request. Its index leads to the sales of the till. */
const ofTill = ({ tillId }: PaymentFilter): SQL | undefined =>
  tillId === undefined
    ? undefined
    : sql`${incomingPayments.id} in (select ${paymentRequests.id} from ${paymentRequests} where ${paymentRequests.tillId} = ${tillId})`;

/** Compares the amount that was asked for, or what has been received when no amount was asked for. */
function amountIn(range: AmountRange, scales: readonly number[]): SQL | undefined {
  const { incomingAmount, received } = incomingPayments;
  return perScale(range, scales, incomingPayments, (least, most) =>
    or(
      and(gte(incomingAmount, least), lte(incomingAmount, most === MAX_MOVED ? MAX_STATED : most)),
      and(isNull(incomingAmount), gte(received, least), lte(received, most)),
    ),
  );
}

/** Compares the amount that was to be sent. */
function amountOut(range: AmountRange, scales: readonly number[]): SQL | undefined {
  const { debitAmount } = outgoingPayments;
  return perScale(range, scales, outgoingPayments, (least, most) => and(gte(debitAmount, least), lte(debitAmount, most)));
}

/** Makes a bound for each scale. A bound in whole units is another number of smallest units for each. */
function perScale(
  range: AmountRange,
  scales: readonly number[],
  table: typeof incomingPayments | typeof outgoingPayments,
  between: (least: bigint, most: bigint) => SQL | undefined,
): SQL | undefined {
  if (range.min === undefined && range.max === undefined) return undefined;
  return or(
    ...scales.map((scale) => {
      const units = unitsBetween(range, scale);
      if (units === undefined) return undefined;
      const condition = between(units.least, units.most);
      return scales.length === 1 ? condition : and(condition, ofScale(table, scale));
    }),
  );
}

/**
 * The condition that the account of a payment counts in units of this scale. The database looks it up only for payments
 * in the range.
 */
const ofScale = (table: typeof incomingPayments | typeof outgoingPayments, scale: number): SQL =>
  sql`exists (select 1 from ${walletAddresses} where ${walletAddresses.id} = ${table.walletAddressId} and ${walletAddresses.assetScale} = ${BigInt(scale)})`;
