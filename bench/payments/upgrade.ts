import { cpSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { root } from '../../scripts/project.mjs';
import type { Row } from '../support/report.ts';
import { seedPastPayments } from './past-payments.ts';
import { MANY } from './sized-node.ts';

const EARLIER = join(root, 'src-main/assembly/testing/fixtures/0.1.0.db.gz');
/** The step of the upgrade at which the node is killed. The copy has been made then, and most tables are anew. */
const KILLED_AT = 60;

const seconds = (millis: number): string => `${(millis / 1_000).toFixed(1)} s`;

/** Brings books of version 0.1.0 with {@link MANY} payments to the present schema, and kills the node meanwhile. */
export async function measureUpgrade(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-upgrade-'));
  const dataDir = join(folder, 'node');
  const database = join(dataDir, 'paydesk.db');
  const log = join(folder, 'log');
  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const began = performance.now();
    const node = await RunningNode.start({ dataDir, env, logTo: openSync(log, 'a') });
    await node.stop();
    return performance.now() - began;
  };
  const megabytes = (): string => `${(statSync(database).size / 1e6).toFixed(0)} MB`;
  try {
    await earlierBooks(folder, dataDir);
    const before = megabytes();
    const killing = performance.now();
    const wasKilled = await start({ PAYDESK_FAIL_POINT: `upgrade-step:${KILLED_AT}` }).then(
      () => false,
      () => true,
    );
    const killedAfter = performance.now() - killing;
    if (!wasKilled) throw new Error('the upgrade was not killed');
    const upgraded = await start();
    const lines = readFileSync(log, 'utf8').split('\n');
    const again = await start();
    const what = `books of version 0.1.0 with ${MANY.toLocaleString('en')} payments`;
    const row = (name: string, figure: string): Row => ({ [what]: name, figure });
    return [
      row('their size', before),
      row('copied, verified and upgraded in part, then killed', `after ${seconds(killedAfter)}`),
      row('the next start, which uses that copy, with its stop', seconds(upgraded)),
      row('lines of the log that tell how far it is', String(lines.filter((line) => line.includes('the upgrade goes on')).length)),
      row('size afterwards', megabytes()),
      row('the start after that, with its stop', seconds(again)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts the books of the earlier version into a data folder, with keys and with many payments. */
async function earlierBooks(folder: string, dataDir: string): Promise<void> {
  const made = join(folder, 'made');
  await (await RunningNode.start({ dataDir: made })).stop();
  mkdirSync(dataDir);
  cpSync(join(made, 'node-secrets.json'), join(dataDir, 'node-secrets.json'));
  const file = join(dataDir, 'paydesk.db');
  writeFileSync(file, gunzipSync(readFileSync(EARLIER)));
  const books = new Sqlite(file);
  const find = (column: string) => books.prepare<[], string>(`select ${column} from outgoing_payments`).pluck().get() ?? '';
  const payment = { incomingPayment: find('receiver_id'), outgoingPayment: find('id') };
  const payer = `customer:${find('wallet_address_id')}`;
  const spent = `${MANY} * (select debit_amount from outgoing_payments)`;
  for (const [set, where] of [
    [`ledger_transfers set amount = amount + ${spent}`, `kind = 'deposit' and credit_account_id = '${payer}'`],
    [`ledger_accounts set balance = balance + ${spent}`, `id = '${payer}'`],
    [`ledger_accounts set balance = balance - ${spent}`, "id = 'external:USD/2'"],
  ])
    books.exec(`update ${set} where ${where}`);
  books.close();
  seedPastPayments(dataDir, payment, MANY - 1);
}
