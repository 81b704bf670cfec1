import { and, eq, max, sql } from 'drizzle-orm';
import { dayAt } from '../../src-shared/calendar.ts';
import { canonicalText } from '../../src-shared/receipts/canonical.ts';
import { type ReceiptContent, type ReceiptKind, SignedContent } from '../../src-shared/receipts/receipt-content.ts';
import { placeOfNumber, type ReceiptPlace, receiptNumber } from '../../src-shared/receipts/receipt-rules.ts';
import { appendEvent } from '../journal/events.ts';
import { payersOf } from '../payments/refunds/payers.ts';
import type { Core } from '../platform/core.ts';
import type { Reader, Tx } from '../platform/database/database.ts';
import { failPoint } from '../platform/fail-points.ts';
import { isId } from '../platform/ids.ts';
import { ok, type Result, refuse } from '../platform/result.ts';
import { readShop } from '../shop/shop.ts';
import { walletAddresses as addresses } from '../wallet-addresses/tables.ts';
import type { WalletAddresses } from '../wallet-addresses/wallet-addresses.ts';
import { contentOf, type ReceiptProblem, type Subject, subjectOf } from './content.ts';
import { isLinkSecret, linkHashOf, type ReceiptJwk, type ReceiptKeys } from './receipt-keys.ts';
import { receiptBranch, receipts, type StoredPayer } from './tables.ts';

/** The payment or the refund to which a receipt belongs. */
export interface ReceiptOf {
  kind: ReceiptKind;
  id: string;
}

export interface IssuedReceipt extends ReceiptOf {
  /** The secret part of its link. */
  secret: string;
  jws: string;
  /** It is undefined when somebody has changed the stored receipt: the node has not signed what is there. */
  content: ReceiptContent | undefined;
  payers: readonly StoredPayer[];
  printed: number;
}

/**
 * The result of checking a receipt.
 * - `unchanged`: the node has signed it, and its books have it.
 * - `not_kept`: the node has signed it, and its books do not have it: they were put back from an older copy.
 * - `changed`: the node has not signed this.
 * - `unknown`: it leads to no receipt of this node.
 */
export type Checked =
  | { found: 'unchanged' | 'not_kept'; content: ReceiptContent; secret?: string }
  | { found: 'changed' }
  | { found: 'unknown' };

type Row = typeof receipts.$inferSelect;

/** How many payers a receipt keeps at most. A payment may have any number of them. */
const MOST_PAYERS = 20;

interface Parts extends Pick<Core, 'database' | 'clock'> {
  walletAddresses: Pick<WalletAddresses, 'urlOf'>;
  keys: ReceiptKeys;
  /** Is part of the write that issues a receipt. @param number the number of that receipt */
  onIssued?: (tx: Tx, receipt: ReceiptOf & { number: string }, at: number) => Promise<void>;
}

/** The receipts that the shop hands over (decisions.md#D-253). */
export class Receipts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The keys with which anybody can check a receipt (RFC 7517). */
  get jwks(): { keys: ReceiptJwk[] } {
    return { keys: [this.#parts.keys.jwk] };
  }

  /**
   * The receipt of a payment or refund. The node issues it to the first one who asks: one write, beside which no other
   * runs, gives it the next number of its series and stores its content. So numbers have no gaps and come once,
   * whichever process writes and whenever it ends.
   */
  async issue({ kind, id }: ReceiptOf): Promise<Result<IssuedReceipt, ReceiptProblem>> {
    const { database, clock } = this.#parts;
    const earlier = await this.find({ kind, id });
    if (earlier !== undefined) return ok(earlier);
    failPoint('receipt-step');
    const at = clock.now();
    const made = await database.write((tx) => this.#issueIn(tx, { kind, id }, at));
    failPoint('receipt-step');
    return made.ok ? ok(this.#opened(made.value)) : made;
  }

  async #issueIn(tx: Tx, { kind, id }: ReceiptOf, at: number): Promise<Result<Row, ReceiptProblem>> {
    const { keys, walletAddresses } = this.#parts;
    const same = await rowOf(tx, kind, id);
    if (same !== undefined) return ok(same);
    const subject = await subjectOf(tx, kind, id, at);
    if (!subject.ok) return subject;
    const { payment } = subject.value;
    const [account] = await tx.select().from(addresses).where(eq(addresses.id, payment.walletAddressId));
    if (account === undefined) return refuse('not_found');
    const shop = await readShop(tx);
    const year = Number(dayAt(at, shop.days).slice(0, 4));
    const place = await nextPlace(tx, kind, year);
    const number = receiptNumber(place);
    const content = await contentOf(tx, kind, subject.value, {
      ...{ shop, account, walletAddress: walletAddresses.urlOf(account), number, issuedAt: at },
      refundOf: kind === 'refund' ? await this.#numberOfSale(tx, payment.id) : null,
    });
    const row: Row = {
      ...{ ...place, subject: id, jws: keys.sign(canonicalText(content)), linkHash: linkHashOf(keys.linkOf(kind, id)) },
      ...{ payers: await this.#payersOf(tx, subject.value), printed: 0, issuedAt: at },
    };
    await tx.insert(receipts).values(row);
    await appendEvent(tx, { type: 'receipt.issued', subject: number, body: { payment: payment.id }, at });
    await this.#parts.onIssued?.(tx, { kind, id, number }, at);
    return ok(row);
  }

  async #numberOfSale(tx: Tx, id: string): Promise<string | null> {
    const sale = await rowOf(tx, 'sale', id);
    return sale === undefined ? null : receiptNumber(sale);
  }

  async #payersOf(tx: Tx, { payment }: Subject): Promise<StoredPayer[]> {
    const found = [];
    for (const { payer, amount } of await payersOf(tx, payment.id, { most: MOST_PAYERS })) {
      const [own] = isId(payer) ? await tx.select().from(addresses).where(eq(addresses.id, payer)) : [];
      found.push({ walletAddress: own === undefined ? payer : this.#parts.walletAddresses.urlOf(own), amount: amount.toString() });
    }
    return found;
  }

  /** The receipt that was issued. It is undefined while there is none. */
  async find({ kind, id }: ReceiptOf): Promise<IssuedReceipt | undefined> {
    const row = await rowOf(this.#parts.database.read, kind, id);
    return row && this.#opened(row);
  }

  /** The receipt to which a link leads, or undefined. @param secret the last part of the link */
  async bySecret(secret: string): Promise<IssuedReceipt | undefined> {
    if (!isLinkSecret(secret)) return undefined;
    const { read } = this.#parts.database;
    const [row] = await read
      .select()
      .from(receipts)
      .where(eq(receipts.linkHash, linkHashOf(secret)));
    return row && this.#opened(row);
  }

  /**
   * Counts that the console prints a receipt in a browser.
   * @returns the receipt as it is then: the first time it was printed once, and every paper after that is a copy.
   */
  async notePrint(of: ReceiptOf): Promise<IssuedReceipt | undefined> {
    const { database, clock } = this.#parts;
    const at = clock.now();
    const row = await database.write((tx) => countPrint(tx, of, at));
    return row && this.#opened(row);
  }

  /** Looks whether a receipt is one of this node, and unchanged. @param text its link, or what the node has signed */
  async check(text: string): Promise<Checked> {
    const pasted = text.replaceAll(/\s/g, '');
    if (pasted.split('.').length === 3 && !pasted.includes('/')) return await this.#checkSigned(pasted);
    const secret =
      pasted
        .replace(/[?#].*$/, '')
        .split('/')
        .at(-1) ?? '';
    const kept = await this.bySecret(secret);
    if (kept === undefined) return { found: 'unknown' };
    return kept.content === undefined ? { found: 'changed' } : { found: 'unchanged', content: kept.content, secret };
  }

  async #checkSigned(jws: string): Promise<Checked> {
    const content = this.#read(jws);
    if (content === undefined) return { found: 'changed' };
    const place = placeOfNumber(content.number);
    const row = place && (await rowAt(this.#parts.database.read, place));
    return row?.jws !== jws
      ? { found: 'not_kept', content }
      : { found: 'unchanged', content, secret: this.#parts.keys.linkOf(row.kind, row.subject) };
  }

  #read(jws: string): ReceiptContent | undefined {
    const text = this.#parts.keys.open(jws);
    return text === undefined ? undefined : SignedContent.safeParse(JSON.parse(text)).data;
  }

  #opened({ kind, subject: id, jws, payers, printed }: Row): IssuedReceipt {
    return { kind, id, jws, payers, printed, secret: this.#parts.keys.linkOf(kind, id), content: this.#read(jws) };
  }
}

/** Counts a print, in the write that decides on it. It is undefined when there is no such receipt. */
export async function countPrint(tx: Tx, { kind, id }: ReceiptOf, at: number): Promise<Row | undefined> {
  const [printed] = await tx
    .update(receipts)
    .set({ printed: sql`${receipts.printed} + 1` })
    .where(and(eq(receipts.kind, kind), eq(receipts.subject, id)))
    .returning();
  if (printed === undefined) return undefined;
  const body = { printed: String(printed.printed) };
  await appendEvent(tx, { type: 'receipt.printed', subject: receiptNumber(printed), body, at });
  return printed;
}

async function rowOf(reader: Reader, kind: ReceiptKind, id: string): Promise<Row | undefined> {
  const [row] = await reader
    .select()
    .from(receipts)
    .where(and(eq(receipts.kind, kind), eq(receipts.subject, id)));
  return row;
}

async function rowAt(reader: Reader, { kind, year, branch, number }: ReceiptPlace): Promise<Row | undefined> {
  const [row] = await reader
    .select()
    .from(receipts)
    .where(and(eq(receipts.kind, kind), eq(receipts.year, year), eq(receipts.branch, branch), eq(receipts.number, number)));
  return row;
}

/** The next place of a series. The write that reads it runs alone, so that nobody else takes the same one. */
async function nextPlace(tx: Tx, kind: ReceiptKind, year: number) {
  const [row] = await tx.select().from(receiptBranch);
  const branch = row?.branch ?? 0;
  const [last] = await tx
    .select({ number: max(receipts.number) })
    .from(receipts)
    .where(and(eq(receipts.kind, kind), eq(receipts.year, year), eq(receipts.branch, branch)));
  return { kind, year, branch, number: Number(last?.number ?? 0) + 1 };
}
