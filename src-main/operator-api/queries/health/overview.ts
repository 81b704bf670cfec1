import { and, asc, count, eq, gte, sql } from 'drizzle-orm';
import { type Asset, assetKey } from '../../../../src-shared/amounts.ts';
import { dayAt, daysLater, startOfDay } from '../../../../src-shared/calendar.ts';
import type { Overview } from '../../../../src-shared/operator-contract/node.ts';
import { daySums } from '../../../ledger/days.ts';
import { ledgerAccounts } from '../../../ledger/tables.ts';
import { isFailed, isNotCompleted, isUnfinished, outgoingPayments } from '../../../payments/tables.ts';
import { prepared, type Reader } from '../../../platform/database/database.ts';
import { exactSum } from '../../../platform/database/exact-sum.ts';
import { readShop } from '../../../shop/shop.ts';
import { walletAddresses } from '../../../wallet-addresses/tables.ts';
import type { OperatorContext } from '../../context.ts';
import { activityHealth } from './activity-health.ts';
import { appsHealth } from './apps-health.ts';
import { backupHealth } from './backup-health.ts';
import { auditHealth, booksDamages } from './books-health.ts';
import { clockHealth } from './clock-health.ts';
import { type AssetSum, type CertificateCondition, healthChecks } from './health.ts';
import { logHealth } from './log-health.ts';
import { openFilesHealth } from './open-files-health.ts';
import { outsideHealth } from './outside-health.ts';
import { overloadHealth } from './overload-health.ts';
import { peersHealth } from './peers-health.ts';
import { printerHealth } from './printer-health.ts';
import { ratesHealth } from './rates-health.ts';

/** How many days the history covers, including today. */
const DAYS = 30;
const STUCK_MS = 10 * 60_000;

/** The first screen of the operator: money, today, the last weeks, what waits, and whether the node is well. */
export async function overview(context: OperatorContext): Promise<Overview> {
  const { notStored } = context.database;
  const now = context.clock.now();
  const { today, firstDay, assets, days, underWay, paymentsUnknown, failedToday } = await context.database.readAtOnce(
    async (read, aside) => {
      const { days: shopDays } = await readShop(read);
      const today = dayAt(now, shopDays);
      const firstDay = daysLater(today, 1 - DAYS);
      return {
        ...{ today, firstDay },
        assets: await moneyByAsset(aside),
        days: Map.groupBy(await daySums(read, firstDay, DAYS, shopDays), assetKey),
        underWay: await payments(read, now),
        paymentsUnknown: await unknownPayments(read),
        // SQLite takes the index of states for it, and reads every failed payment of all years.
        failedToday: await failedSince(aside, startOfDay(today, shopDays)),
      };
    },
  );
  return {
    now: new Date(now),
    balances: assets.map(({ assetCode, assetScale, balance, reserved, accounts }) => ({
      ...{ assetCode, assetScale, value: balance, reserved, accounts },
    })),
    today: assets.map(({ assetCode, assetScale }) => {
      const sum = days.get(assetKey({ assetCode, assetScale }))?.find(({ day }) => day === today);
      return { assetCode, assetScale, received: sum?.received ?? 0n, sent: sum?.sent ?? 0n };
    }),
    history: {
      firstDay,
      days: DAYS,
      assets: assets.map(({ assetCode, assetScale }) => {
        const sums = days.get(assetKey({ assetCode, assetScale })) ?? [];
        return { assetCode, assetScale, days: sums.map(({ day, received, sent }) => ({ day, received, sent })) };
      }),
    },
    waitingApprovals: (await context.access.views.listApprovals()).length,
    paymentsUnderWay: underWay.all,
    paymentsUnknown,
    failedToday,
    health: [
      ...healthChecks({
        notStored,
        sums: assets satisfies AssetSum[],
        damages: await booksDamages(context),
        isShared: context.shared !== undefined,
        stuck: underWay.stuck,
        unknown: paymentsUnknown,
        reachable: context.about.reachableByOthers,
        certificate: context.certificate && certificateCondition(context.certificate, context.about, now),
      }),
      ...clockHealth(context),
      await outsideHealth(context),
      ...(await peersHealth(context)),
      ...(await ratesHealth(context)),
      ...(await appsHealth(context)),
      ...(await backupHealth(context)),
      await activityHealth(context),
      ...auditHealth(context),
      ...logHealth(context),
      ...(await printerHealth(context)),
      ...openFilesHealth(context),
      ...overloadHealth(context),
    ],
  };
}

function certificateCondition(
  certificate: NonNullable<OperatorContext['certificate']>,
  { publicUrl, reachableByOthers }: OperatorContext['about'],
  now: number,
): CertificateCondition {
  const { hostname } = new URL(publicUrl);
  return {
    remainingMs: certificate.expiresAt - now,
    begun: certificate.beginsAt <= now,
    host: hostname,
    // A visitor from elsewhere never sees an address that only this computer reaches, so its certificate need not fit.
    isForHost: !reachableByOthers || certificate.isFor(hostname),
    problem: certificate.problem,
  };
}

interface AssetMoney extends AssetSum {
  balance: bigint;
  reserved: bigint;
  /** How many accounts there are. */
  accounts: number;
}

const byKind = prepared((reader: Reader) =>
  reader
    .select({
      kind: ledgerAccounts.kind,
      assetCode: ledgerAccounts.assetCode,
      assetScale: ledgerAccounts.assetScale,
      balance: exactSum(ledgerAccounts.balance),
      pending: exactSum(ledgerAccounts.pending),
      number: count(),
    })
    .from(ledgerAccounts)
    .groupBy(ledgerAccounts.assetCode, ledgerAccounts.assetScale, ledgerAccounts.kind)
    .prepare(),
);

/** The currency of the first account, in which the shop thinks. It is undefined while there is no account. */
async function mainAsset(reader: Reader): Promise<string | undefined> {
  const { createdAt, id, assetCode, assetScale } = walletAddresses;
  const [first] = await reader.select({ assetCode, assetScale }).from(walletAddresses).orderBy(asc(createdAt), asc(id)).limit(1);
  return first && assetKey(first);
}

/** The money of each currency. That of the first account comes first, and the others by their codes. */
async function moneyByAsset(reader: Reader): Promise<AssetMoney[]> {
  const assets = new Map<string, AssetMoney>();
  for (const { kind, balance, pending, number, assetCode, assetScale } of await byKind(reader).execute()) {
    const key = assetKey({ assetCode, assetScale });
    const asset = assets.get(key) ?? { assetCode, assetScale, balance: 0n, reserved: 0n, accounts: 0, sum: 0n };
    asset.sum += balance;
    if (kind === 'customer') asset.balance += balance - pending;
    if (kind === 'customer') asset.reserved += pending;
    if (kind === 'customer') asset.accounts += Number(number);
    if (kind === 'escrow') asset.reserved += balance;
    assets.set(key, asset);
  }
  const main = await mainAsset(reader);
  const rank = (asset: Asset): string => `${assetKey(asset) === main ? 0 : 1} ${assetKey(asset)}`;
  return [...assets.values()].sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

const unfinished = prepared((reader: Reader) =>
  reader
    .select({
      all: count(),
      stuck: sql`count(*) filter (where ${outgoingPayments.createdAt} < ${sql.placeholder('since')})`.mapWith(Number),
    })
    .from(outgoingPayments)
    .where(isUnfinished)
    .prepare(),
);

async function payments(reader: Reader, now: number): Promise<{ all: number; stuck: number }> {
  const [row] = await unfinished(reader).execute({ since: BigInt(now - STUCK_MS) });
  return { all: Number(row?.all ?? 0), stuck: row?.stuck ?? 0 };
}

/** Counts the payments that are leaving this node or will be tried again. */
export async function paymentsUnderWay({ database, clock }: Pick<OperatorContext, 'database' | 'clock'>): Promise<number> {
  return (await payments(database.read, clock.now())).all;
}

const unknown = prepared((reader: Reader) =>
  reader
    .select({ unknown: count() })
    .from(outgoingPayments)
    .where(and(isNotCompleted, eq(outgoingPayments.state, 'unknown')))
    .prepare(),
);

async function unknownPayments(reader: Reader): Promise<number> {
  const [row] = await unknown(reader).execute();
  return Number(row?.unknown ?? 0);
}

const failed = prepared((reader: Reader) =>
  reader
    .select({ failed: count() })
    .from(outgoingPayments)
    .where(and(isFailed, gte(outgoingPayments.updatedAt, sql.placeholder('since'))))
    .prepare(),
);

async function failedSince(reader: Reader, since: number): Promise<number> {
  const [row] = await failed(reader).execute({ since });
  return Number(row?.failed ?? 0);
}
