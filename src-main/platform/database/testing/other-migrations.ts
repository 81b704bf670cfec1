import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder with the migrations of this version. */
export const MIGRATIONS = resolve(import.meta.dirname, '../../../../drizzle');

interface Entry {
  idx: number;
  when: number;
  tag: string;
}

/** The folder with the migrations of this version for PostgreSQL. */
export const POSTGRES_MIGRATIONS = join(MIGRATIONS, 'postgres');

/**
 * Folders with other migrations than those of this version.
 * @param folder the place of the copies that are changed
 * @param migrations the migrations of one engine
 */
export class OtherMigrations {
  readonly #folder: string;
  readonly #migrations: string;

  constructor(folder: string, migrations = MIGRATIONS) {
    this.#folder = folder;
    this.#migrations = migrations;
  }

  /** @returns a folder with only the first `count` migrations, as a published version had them. */
  published(count: number): string {
    return this.#changed((entries) => entries.slice(0, count));
  }

  /** @returns a folder with the migrations and, after them, one that runs `sql`. */
  followedBy(sql: string): string {
    return this.#changed((entries, copy) => {
      const last = entries.at(-1);
      if (last === undefined) throw new Error('there are no migrations');
      writeFileSync(join(copy, 'another.sql'), sql);
      return [...entries, { ...last, idx: last.idx + 1, when: last.when + 1, tag: 'another' }];
    });
  }

  #changed(change: (entries: Entry[], copy: string) => Entry[]): string {
    const copy = mkdtempSync(join(this.#folder, 'drizzle-'));
    cpSync(this.#migrations, copy, { recursive: true });
    const path = join(copy, 'meta', '_journal.json');
    const journal = JSON.parse(readFileSync(path, 'utf8')) as { entries: Entry[] };
    writeFileSync(path, JSON.stringify({ ...journal, entries: change(journal.entries, copy) }));
    return copy;
  }
}

/** Rows for a database of the first published version: a payment, and all that it refers to. */
export const ROWS = `
  insert into wallet_addresses values ('w', 'shop', 'Shop', 'USD', 2, 1);
  insert into ledger_accounts values ('customer:w', 'customer', 'USD', 2, 60, 0, 1), ('escrow:w', 'escrow', 'USD', 2, 40, 0, 1),
    ('external:USD/2', 'external', 'USD', 2, -100, 0, 1);
  insert into ledger_transfers values ('t1', 'deposit', 'posted', 'external:USD/2', 'customer:w', 100, null, 'first', 1),
    ('t2', 'reservation', 'posted', 'customer:w', 'escrow:w', 40, 'o', null, 2);
  insert into incoming_payments values ('i', 'w', 'https://app.example/till', '00000000000000000040', 0, 0, null, '{"description":"Roses"}', 2, 2);
  insert into quotes values ('q', 'w', 'https://app.example/till', 'https://pay.example/incoming-payments/i', 'i', 40, 40, 'USD', 2, 2, 3, 'o');
  insert into outgoing_payments values ('o', 'w', 'q', 'https://app.example/till', 'g', null, null, null, 'https://pay.example/incoming-payments/i', 'i',
    40, 40, 'USD', 2, 0, 0, 0, 'funded', null, null, 'hash', 0, 0, 2, 9, 2, 2);
  insert into grants values ('g', 'issued', 'wallet-address', 'https://app.example/till', null, null, '[]', '[]', null, 'w', 1, 'https://pay.example/auth',
    null, null, null, null, null, 'c', 'ch', null, 0, 1, null, null, null, null, null);
  insert into access_tokens values ('a', 'g', 'th', 'active', null, 0, null, 1, 9);
`;
