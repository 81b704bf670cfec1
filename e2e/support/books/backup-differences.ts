import { join } from 'node:path';
import { contradictions, readBooks } from './books.ts';

/** What is wrong with restored books, and what is in them. */
export interface BackupDifferences {
  /** Each in a few words. A right backup has none. */
  readonly differences: readonly string[];
  readonly payments: number;
  /** How many of the payments had not ended. */
  readonly underWay: number;
}

/** Tables to which rows are only appended. Their rows in a backup must be the first rows of the node's tables. */
const APPENDED = ['events', 'activities', 'packets'];
/**
 * What never changes in a transfer that is not pending. One without a number may grow (decisions.md#D-79). A pending
 * one becomes final, or goes when its money leaves in parts (decisions.md#D-91).
 */
const LASTING = 'rowid, id, kind, state, debit_account_id, credit_account_id, payment_id, note, created_at';
/** Transfers that are in both books. */
const BOTH = 'main.ledger_transfers ours join source.ledger_transfers theirs using (id)';
/** The condition that a pending transfer was for somebody or something else. */
const IS_OTHER = `ours.debit_account_id <> theirs.debit_account_id or ours.credit_account_id <> theirs.credit_account_id
  or ours.kind <> theirs.kind or ours.payment_id <> theirs.payment_id`;
const ENDED = "from main.outgoing_payments where state in ('completed', 'failed')";

/**
 * Finds every difference between restored books and those of the node they came from, which has gone on since.
 * @param copy the data folder of the restored node. @param source the one of the node.
 */
export function backupDifferences(copy: string, source: string): BackupDifferences {
  return readBooks({ dataDir: copy }, (books) => {
    books.prepare('attach database ? as source').run(join(source, 'paydesk.db'));
    const count = (from: string): number => Number(books.prepare(`select count(*) from ${from}`).pluck().get());
    const differences = contradictions(books);
    const none = (what: string, from: string): void => {
      const found = count(from);
      if (found > 0) differences.push(`${found} ${what}`);
    };
    for (const table of APPENDED) {
      const last = Number(books.prepare(`select coalesce(max(rowid), 0) from main.${table}`).pluck().get());
      const [ours, theirs] = ['main', 'source'].map((of) => `select rowid, * from ${of}.${table} where rowid <= ${last}`);
      if (last === 0) differences.push(`no rows in ${table}`);
      none(`rows of ${table} that the node does not have`, `(${ours} except ${theirs})`);
      none(`rows of ${table} that the backup does not have`, `(${theirs} except ${ours})`);
    }
    const [ours, theirs] = ['main', 'source'].map((of) => `select ${LASTING} from ${of}.ledger_transfers where state <> 'pending'`);
    none('transfers that have changed', `(${ours} except ${theirs})`);
    none('pending transfers that have changed', `${BOTH} where ours.state = 'pending' and (${IS_OTHER})`);
    const [final, finalThere] = ['main', 'source'].map((of) => `select number, id, amount from ${of}.ledger_transfers`);
    none('final transfers that have changed', `(${final} where number is not null except ${finalThere})`);
    none('transfers that have shrunk', `${BOTH} where ours.state <> 'pending' and ours.amount > theirs.amount`);
    // Payments that had ended by then are unchanged. Payments that had not ended are there, too.
    none('ended payments that have changed', `(select * ${ENDED} except select * from source.outgoing_payments)`);
    const payments = count('main.outgoing_payments');
    return { differences, payments, underWay: payments - count(`(select 1 ${ENDED})`) };
  });
}
