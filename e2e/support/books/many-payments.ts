import { join } from 'node:path';
import Sqlite from 'better-sqlite3';

const WORDS = ['Kaffee und Kuchen', 'Two books', 'Birthday cake for Ada', 'Weekly flour delivery', 'Äpfel aus dem Garten', 'Postcards'];
const CLIENTS = ['https://shop.example/till', 'https://other.example/app', null];
const MINUTE = 60_000;

/**
 * Stores `count` payments in the data folder of a node that does not run. Half of them are incoming, and each direction
 * has one a minute up to `until`. What one brings another takes, so that no balance changes. The newest payments have
 * the highest numbers in their words and references.
 */
export function storeManyPayments(
  dataDir: string,
  { accountIds, count, until }: { accountIds: readonly string[]; count: number; until: number },
): void {
  const connection = new Sqlite(join(dataDir, 'paydesk.db'));
  const id =
    "lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))";
  const incoming = connection.prepare(
    `insert into incoming_payments (id, wallet_address_id, client, incoming_amount, received, completed, expires_at, metadata, search, created_at, updated_at)
     values (${id}, @account, iif(@open, null, @client), printf('%020d', @amount), iif(@open, 0, @amount), not @open, null, @metadata, @search, @at, @at) returning id`,
  );
  const quote = connection.prepare(
    `insert into quotes (id, wallet_address_id, receiver, debit_amount, receive_amount, receive_asset_code, receive_asset_scale, created_at, expires_at)
     values (${id}, @account, 'https://wallet.example/incoming-payments/1', @amount, @amount, 'USD', 2, @at, @at) returning id`,
  );
  const outgoing = connection.prepare(
    `insert into outgoing_payments (id, wallet_address_id, quote_id, client, receiver, debit_amount, receive_amount, receive_asset_code,
       receive_asset_scale, sent, delivered, packets, state, failure, metadata, search, attempt, fruitless, due_at, deadline, created_at, updated_at)
     values (${id}, @account, @quote, @client, 'https://wallet.example/incoming-payments/1', @amount, @amount, 'USD', 2,
       iif(@open, 0, @amount), iif(@open, 0, @amount), 1, iif(@open, 'failed', 'completed'), iif(@open, 'refused', null),
       @metadata, @search, 0, 0, @at, @at, @at, @at) returning id`,
  );
  const transfer = connection.prepare(
    `insert into ledger_transfers (id, number, kind, state, debit_account_id, credit_account_id, amount, payment_id, created_at)
     values (${id}, (select coalesce(max(number), 0) + 1 from ledger_transfers), @kind, 'posted', @from, @to, @amount, @payment, @at)`,
  );
  connection.transaction(() => {
    for (let n = 1; n <= count / 2; n += 1) {
      const metadata = { description: `${WORDS[n % WORDS.length]} ${n}`, externalRef: `INV-${n}` };
      const row = {
        account: accountIds[n % accountIds.length],
        client: CLIENTS[n % CLIENTS.length],
        amount: 100 + (n % 9_000),
        open: n % 50 === 0 ? 1 : 0,
        metadata: JSON.stringify(metadata),
        // The node writes it in this form; see src-main/payments/search-text.ts.
        search: `\u0001${metadata.externalRef}\u0002${metadata.description}`.toLowerCase(),
        at: until - (count / 2 - n) * MINUTE,
      };
      const { amount, at } = row;
      const [customer, escrow, outside] = [`customer:${row.account}`, `escrow:${row.account}`, 'external:USD/2'];
      const move = (kind: string, payment: unknown, from: string, to: string) => transfer.run({ kind, from, to, amount, payment, at });
      const brought = incoming.get(row) as { id: string };
      if (row.open === 0) move('payment', brought.id, outside, customer);
      const sent = outgoing.get({ ...row, quote: (quote.get(row) as { id: string }).id }) as { id: string };
      move('reservation', sent.id, customer, escrow);
      if (row.open === 0) move('payment', sent.id, escrow, outside);
      else move('refund', sent.id, escrow, customer);
    }
  })();
  connection.close();
}
