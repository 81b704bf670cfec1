import { and, desc, eq, gte, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { ActivityEntry, ActivityFilter } from '../../../src-shared/operator-contract/activity.ts';
import type { Activity } from '../../journal/activity-log.ts';
import { activities, activityHead } from '../../journal/tables.ts';
import { prepared, type Reader } from '../../platform/database/database.ts';
import { contains } from '../../platform/database/dialect.ts';
import { walletAddresses } from '../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../context.ts';
import { kindOf, operationsOf } from '../operator-acts.ts';
import { BYTE_ORDER_MARK, csvLine } from './csv.ts';
import type { ExportPart } from './payments/payments-export.ts';

/** How many entries one query searches. Between queries other work gets its turn, even when little matches. */
const SPAN = 5_000;
const ROWS_AT_ONCE = 200;

const newest = prepared((reader: Reader) => reader.select({ number: activityHead.number }).from(activityHead).prepare());

export const countActivities = async (reader: Reader): Promise<number> => (await newest(reader).execute())[0]?.number ?? 0;

type Page = ActivityFilter & { below?: number | undefined; limit: number };

/** Finds rows that match, newest first, and where the next ones begin. */
async function rowsOf({ database: { read } }: OperatorContext, { below, limit, ...filter }: Page, signal?: AbortSignal) {
  const entries = await countActivities(read);
  const matches = conditionsOf(filter);
  const rows: Activity[] = [];
  let end = Math.min(below ?? entries + 1, entries + 1);
  while (end > 1 && rows.length <= limit) {
    signal?.throwIfAborted();
    const start = Math.max(1, end - SPAN);
    const span = await read
      .select()
      .from(activities)
      .where(and(gte(activities.number, start), lt(activities.number, end), ...matches))
      .orderBy(desc(activities.number))
      .limit(limit + 1 - rows.length);
    rows.push(...span);
    end = start;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const shown = rows.slice(0, limit);
  return { rows: shown, below: rows.length > limit ? (shown.at(-1)?.number ?? null) : null, entries };
}

function conditionsOf({ kind, accountId, by, text, from, before }: ActivityFilter): SQL[] {
  const inText = (column: SQL | typeof activities.subject | typeof activities.operation | typeof activities.body) =>
    contains(sql`lower(${column})`, sql`lower(${text})`);
  return [
    ...(kind === undefined ? [] : [inArray(activities.operation, operationsOf(kind))]),
    ...(accountId === undefined ? [] : [sql`${activities.walletAddressId} = ${accountId}`]),
    ...(by === undefined ? [] : [eq(activities.byId, by)]),
    ...(text === undefined || text === ''
      ? []
      : [
          sql`(${inText(activities.body)} or ${inText(activities.subject)} or ${inText(activities.operation)}
          or ${inText(sql`coalesce(${activities.byName}, '')`)})`,
        ]),
    ...(from === undefined ? [] : [gte(activities.at, from.getTime())]),
    ...(before === undefined ? [] : [lt(activities.at, before.getTime())]),
  ];
}

/** Lists what the operator did, newest first. */
export async function listActivities(context: OperatorContext, page: Page, signal?: AbortSignal) {
  const { rows, below, entries } = await rowsOf(context, page, signal);
  const accounts = await accountsOf(context.database.read, rows);
  return { items: rows.map((row) => shown(row, accounts)), below, entries };
}

type Accounts = Map<string, NonNullable<ActivityEntry['account']>>;

async function accountsOf(reader: Reader, rows: readonly Activity[]): Promise<Accounts> {
  const ids = [...new Set(rows.flatMap(({ walletAddressId }) => (walletAddressId === null ? [] : [walletAddressId])))];
  if (ids.length === 0) return new Map();
  const { id, publicName: name, assetCode, assetScale } = walletAddresses;
  const found = await reader.select({ id, name, assetCode, assetScale }).from(walletAddresses).where(inArray(id, ids));
  return new Map(found.map((account) => [account.id, account]));
}

const whoDid = ({ byKind: kind, byId: id, byName: name, byRole: role }: Pick<Activity, 'byKind' | 'byId' | 'byName' | 'byRole'>) =>
  kind === null || id === null || role === null ? null : { kind, id, name: name ?? '', role };

const shown = ({ number, at, operation, subject, walletAddressId, body, ...by }: Activity, accounts: Accounts): ActivityEntry => ({
  ...{ number, operation, subject, facts: body },
  by: whoDid(by),
  at: new Date(at),
  kind: kindOf(operation),
  account: walletAddressId === null ? null : (accounts.get(walletAddressId) ?? null),
});

const COLUMNS = ['number', 'time', 'operation', 'account', 'subject', 'facts', 'hash', 'by_kind', 'by_id', 'by_name', 'by_role'];

/** Writes the entries that match as CSV, newest first. It leaves out entries that are added meanwhile. */
export async function* exportActivities(
  context: OperatorContext,
  filter: ActivityFilter,
  signal?: AbortSignal,
): AsyncGenerator<ExportPart, void, void> {
  let csv = BYTE_ORDER_MARK + csvLine(COLUMNS);
  let rows = 0;
  const of = await countActivities(context.database.read);
  for (let below: number | null = of + 1; below !== null; ) {
    const part = await rowsOf(context, { ...filter, below, limit: ROWS_AT_ONCE }, signal);
    const accounts = await accountsOf(context.database.read, part.rows);
    csv += part.rows.map((row) => lineOf(row, accounts)).join('');
    rows += part.rows.length;
    below = part.below;
    if (below !== null) yield { csv, rows, of: Math.max(of, rows) };
    if (below !== null) csv = '';
  }
  yield { csv, rows, of: rows };
}

const lineOf = (
  { number, at, operation, walletAddressId, subject, body, hash, byKind, byId, byName, byRole }: Activity,
  accounts: Accounts,
): string =>
  csvLine([
    String(number),
    new Date(at).toISOString(),
    operation,
    walletAddressId === null ? null : (accounts.get(walletAddressId)?.name ?? walletAddressId),
    subject,
    Object.entries(body)
      .map(([name, value]) => `${name}: ${value}`)
      .join('; '),
    hash,
    ...[byKind, byId, byName, byRole],
  ]);
