import { gt, min, sql } from 'drizzle-orm';
import { prepared, type Reader } from '../platform/database/database.ts';
import { ledgerAccounts } from './tables.ts';

const next = prepared((reader: Reader) =>
  reader
    .select({ code: min(ledgerAccounts.assetCode) })
    .from(ledgerAccounts)
    .where(gt(ledgerAccounts.assetCode, sql.placeholder('after')))
    .prepare(),
);

/** The codes of all currencies in the books. It asks the index once for each of them, and not for each account. */
export async function currenciesOf(reader: Reader): Promise<string[]> {
  const codes: string[] = [];
  for (let after = ''; ; ) {
    const [row] = await next(reader).execute({ after });
    if (row?.code == null) return codes;
    after = row.code;
    codes.push(after);
  }
}
