import { expect } from 'vitest';
import { writerOf } from '../../src-shared/statements/writers.ts';
import { openPayments } from '../payments/testing/payments.ts';
import { onSqlite } from '../platform/database/testing/on-sqlite.ts';
import { drawUp, written } from './statement.ts';
import { statementWords } from './statement-words.ts';

/** How many movements the account has. `npm run soak` sets more. */
const LINES = Number(process.env.PAYDESK_TEST_STATEMENT_LINES ?? 10_000);
/** What an export may take, however many lines it has, in MB. */
const MOST_MB = 100;
const FROM = Date.UTC(2026, 0, 2);
const SECOND_MS = 1_000;
const BYTES_IN_MB = 2 ** 20;

const rssMb = () => process.memoryUsage().rss / BYTES_IN_MB;

const onlySqlite = onSqlite('the lines are made by a statement of SQLite');

onlySqlite(`the statement of ${LINES} movements takes less than ${MOST_MB} MB more memory`, () => measured(), 30 * 60_000);

async function measured(): Promise<void> {
  const node = openPayments();
  const shop = await node.account('shop', 0n);
  await node.test.tamper(`
    insert into incoming_payments (id, wallet_address_id, received, completed, metadata, search, created_at, updated_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LINES})
    select 'p' || (1000000000 + i), '${shop.id}', 125, 1, '{"description":"Two roses, number ' || i || '"}', '', ${FROM} + i * ${SECOND_MS}, 0
    from n`);
  await node.test.tamper(`
    insert into ledger_transfers (id, number, kind, state, debit_account_id, credit_account_id, amount, payment_id, created_at)
    with recursive n(i) as (select 1 union all select i + 1 from n where i < ${LINES})
    select 'm' || (1000000000 + i), i, 'payment', 'posted', 'external:USD/2', 'customer:${shop.id}', 125, 'p' || (1000000000 + i),
      ${FROM} + i * ${SECOND_MS} from n`);
  await node.test.tamper(`update ledger_accounts set balance = ${LINES * 125} where id = 'customer:${shop.id}'`);
  node.clock.advance(31 * 86_400_000);

  const before = rssMb();
  const began = performance.now();
  const statement = await drawUp(node, { accountId: shop.id, from: '2026-01-01', to: '2026-01-31' });
  if (!statement.ok) throw new Error(statement.error);
  const { head } = statement.value;
  const drawnAt = performance.now();
  const writer = writerOf({ format: 'camt053', language: 'en' }, head, await statementWords('en'));
  let [peak, bytes, lines] = [0, 0, 0];
  for await (const part of written(node, statement.value, writer)) {
    bytes += part.text.length;
    lines = part.rows;
    peak = Math.max(peak, rssMb());
  }
  const seconds = (from: number, to: number) => ((to - from) / SECOND_MS).toFixed(1);
  process.stdout.write(
    `${lines} lines, ${(bytes / BYTES_IN_MB).toFixed(0)} MB: ${(peak - before).toFixed(0)} MB more memory, ` +
      `${seconds(began, drawnAt)} s to the balances, ${seconds(drawnAt, performance.now())} s for the lines\n`,
  );
  expect(lines).toBe(LINES);
  expect(head.closing).toBe(BigInt(LINES) * 125n);
  expect(peak - before).toBeLessThan(MOST_MB);
  await node.close();
}
