import type Sqlite from 'better-sqlite3';
import type { BackupHead } from './backup-file.ts';

/** What a backup holds. The operator sees it and decides whether it is the right backup. */
export interface BackupContent {
  /** The time of the backup, in the form of ISO 8601. */
  readonly madeAt: string;
  /** The version of paydesk that made the backup. */
  readonly version: string;
  /** The origin of the node's public URLs. It is undefined when the node never started. */
  readonly publicUrl: string | undefined;
  /** How many incoming and outgoing payments the backup holds. */
  readonly payments: number;
  readonly accounts: readonly {
    readonly name: string;
    readonly publicName: string;
    readonly assetCode: string;
    readonly assetScale: number;
    /** What the account may spend, in smallest units. */
    readonly balance: bigint;
    /** What is set aside for payments under way, in smallest units. */
    readonly reserved: bigint;
  }[];
}

interface AccountRow {
  name: string;
  publicName: string;
  assetCode: string;
  assetScale: bigint;
  balance: bigint;
  reserved: bigint;
}

/** The most accounts that are read, and the most characters of a name. Anybody may have made the file. */
const MOST_ACCOUNTS = 10_000;
const MOST_CHARACTERS = 1_000;

/** Reads the content from the database of a backup. It can read the schema of every published version. */
export function contentOf(connection: Sqlite.Database, { createdAt, version }: Pick<BackupHead, 'createdAt' | 'version'>): BackupContent {
  const accounts = connection
    .prepare(
      `select substr(w.name, 1, ${MOST_CHARACTERS}) as name, substr(w.public_name, 1, ${MOST_CHARACTERS}) as publicName, w.asset_code as assetCode, w.asset_scale as assetScale,
         coalesce(c.balance - c.pending, 0) as balance, coalesce(e.balance, 0) + coalesce(c.pending, 0) as reserved
       from wallet_addresses w left join ledger_accounts c on c.id = 'customer:' || w.id left join ledger_accounts e on e.id = 'escrow:' || w.id
       order by w.created_at, w.id limit ${MOST_ACCOUNTS}`,
    )
    .safeIntegers()
    .all() as AccountRow[];
  const payments = connection
    .prepare('select (select count(*) from incoming_payments) + (select count(*) from outgoing_payments)')
    .pluck()
    .get();
  const origin = connection.prepare('select origin from origins order by since desc limit 1').pluck().get() as string | undefined;
  return {
    madeAt: createdAt,
    version,
    publicUrl: origin,
    payments: Number(payments),
    accounts: accounts.map((row) => ({ ...row, assetScale: Number(row.assetScale) })),
  };
}
