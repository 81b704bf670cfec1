import { checkAccounts, checkClosings } from '../ledger/audit/account-rules.ts';
import type { Finding } from '../ledger/audit/damages.ts';
import { addTo, checkPiece, duePieces, lastPiece, type Piece, readPiece, type Sums } from '../ledger/audit/pieces.ts';
import { isDamage } from '../platform/database/damage.ts';
import type { Reader } from '../platform/database/database.ts';
import type { Inspection } from '../platform/database/inspection.ts';
import { isForeignSchema } from '../platform/database/sqlite-errors.ts';
import { checkGrants } from './grant-rules.ts';
import { checkIncoming } from './incoming-rules.ts';
import { checkOwners } from './owner-rules.ts';
import { checkNamed, checkOutgoing } from './payment-rules.ts';
import { checkPeers, checkSetAside } from './set-aside-rules.ts';

/** The audit compares all balances once more after this many other steps, so that a long round notices them soon. */
const ACCOUNTS_AFTER = 50;

/** The result of one step of a round. */
export interface Step {
  findings: Finding[];
  /** A piece to close. The round goes on when it is closed, or will not be. */
  close?: Piece;
  /** Whether every balance has been compared. */
  compared?: true;
}

/** Books that the audit reads one state at a time. */
export type AuditedBooks = Pick<Inspection, 'snapshot'>;

interface Wanted {
  /** The tables whose pages are checked, and how. `thorough` also compares each index with its table. */
  pages: 'none' | { of: Pick<Inspection, 'tables' | 'isSound'>; thorough: boolean };
  /** Whether the node works on the books meanwhile. Pieces are closed then, and balances compared again and again. */
  live: boolean;
}

/** The errors of reading a column that holds what paydesk never wrote. */
const UNREADABLE = [SyntaxError, RangeError, TypeError];

const NOTHING: Step = { findings: [] };

/** The result of a round that meets damage outside its steps: the file does not open any more. */
export const UNREADABLE_FILE: Step = { findings: [{ owner: '', finding: 'unreadable', place: 'database' }] };

/**
 * Checks the books once, from beginning to end, in steps that take a few milliseconds. Only the check of a large
 * table's pages takes longer. A step that cannot read a page tells that as a finding, and the round goes on.
 */
export async function* auditRound(books: AuditedBooks, wanted: Wanted): AsyncGenerator<Step, void, void> {
  for await (const step of stepsOf(books, wanted)) yield inText(step);
}

/** Compares all balances with their transfers, and nothing else. */
export async function* auditBalances(books: AuditedBooks): AsyncGenerator<Step, void, void> {
  for await (const step of new Round(books).accounts()) yield inText(step);
}

/** Makes text of a finding. Damage can make bytes of a text, and the console and the database take no bytes here. */
function inText(step: Step): Step {
  const findings = step.findings.map(({ owner, finding, place }) => ({ owner: String(owner), finding, place: String(place) }));
  return { ...step, findings };
}

async function* stepsOf(books: AuditedBooks, { pages, live }: Wanted): AsyncGenerator<Step, void, void> {
  const round = new Round(books);
  if (live) yield* round.closePieces();
  yield* round.accounts();
  yield { ...NOTHING, compared: true };
  let steps = 0;
  for await (const step of round.others(pages)) {
    yield step;
    steps += 1;
    if (live && steps % ACCOUNTS_AFTER === 0) yield* round.accounts();
  }
}

class Round {
  readonly #books: AuditedBooks;
  constructor(books: AuditedBooks) {
    this.#books = books;
  }

  /**
   * Closes the pieces that are due. A piece with a gap stays open, and nobody can tell which account its damage
   * concerns.
   */
  async *closePieces(): AsyncGenerator<Step, void, void> {
    for (;;) {
      const due = await this.#look('ledger_transfers', async (reader) => {
        if ((await duePieces(reader)) === 0) return undefined;
        return await readPiece(reader, (await lastPiece(reader)) + 1);
      });
      if ('findings' in due) return yield due;
      if (due.value === undefined) return;
      const { piece, isWhole } = due.value;
      if (!isWhole) return yield { findings: [{ owner: '', finding: 'transfer_missing', place: `piece ${piece.number}` }] };
      const before = piece.number;
      yield { findings: [], close: piece };
      const after = await this.#look('ledger_pieces', lastPiece);
      // The node closes nothing while damage stands.
      if ('findings' in after || after.value < before) return;
    }
  }

  async *accounts(): AsyncGenerator<Step, void, void> {
    yield* this.#pages('ledger_accounts', checkAccounts);
  }

  async *others(pages: Wanted['pages']): AsyncGenerator<Step, void, void> {
    if (pages !== 'none') yield* this.#soundness(pages);
    yield* this.#pieces();
    yield* this.#pages('ledger_accounts', checkOwners);
    yield* this.#pages('outgoing_payments', checkSetAside);
    yield* this.#pages('outgoing_payments', checkOutgoing);
    yield* this.#pages('incoming_payments', checkIncoming);
    yield* this.#pages('ledger_transfers', checkNamed);
    yield* this.#pages('grants', checkGrants);
    const found = await this.#look('peers', checkPeers);
    yield 'findings' in found ? found : { findings: found.value };
  }

  async *#soundness({ of, thorough }: Exclude<Wanted['pages'], 'none'>): AsyncGenerator<Step, void, void> {
    const tables = await this.#look('sqlite_schema', async () => of.tables());
    if ('findings' in tables) return yield tables;
    for (const table of tables.value) yield { findings: of.isSound(table, thorough) ? [] : [unreadable(table)] };
  }

  async *#pieces(): AsyncGenerator<Step, void, void> {
    const sums: Sums = new Map();
    const check = async (reader: Reader, number: number) => {
      const { findings, sums: moved } = await checkPiece(reader, number);
      for (const [account, sum] of Object.entries(moved)) addTo(sums, account, BigInt(sum));
      return findings;
    };
    let number = 0;
    for (;;) {
      const next = await this.#look('ledger_pieces', async (reader) => {
        if ((await lastPiece(reader)) <= number) return { findings: await checkClosings(reader, sums), isLast: true };
        return { findings: await check(reader, number + 1), isLast: false };
      });
      if ('findings' in next) return yield next;
      yield { findings: next.value.findings };
      if (next.value.isLast) return;
      number += 1;
    }
  }

  /** Compares page after page of a table. */
  async *#pages(
    table: string,
    check: (reader: Reader, after: string) => Promise<{ findings: Finding[]; last: string | undefined }>,
  ): AsyncGenerator<Step, void, void> {
    let after: string | undefined = '';
    while (after !== undefined) {
      const from: string = after;
      const found = await this.#look(table, (reader) => check(reader, from));
      if ('findings' in found) return yield found;
      yield { findings: found.value.findings };
      after = found.value.last;
    }
  }

  /** Reads one state of the books. @returns what `look` returns, or what nobody can read. */
  async #look<T>(table: string, look: (reader: Reader) => Promise<T>): Promise<{ value: T } | Step> {
    try {
      return { value: await this.#books.snapshot(look) };
    } catch (error) {
      // A value that no column of paydesk holds, such as text that is not JSON, is damage, too.
      if (isDamage(error) || isForeignSchema(error) || UNREADABLE.some((kind) => error instanceof kind))
        return { findings: [unreadable(table)] };
      throw error;
    }
  }
}

const unreadable = (table: string): Finding => ({ owner: '', finding: 'unreadable', place: table });
