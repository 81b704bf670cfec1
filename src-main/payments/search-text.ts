import { eq, isNull } from 'drizzle-orm';
import type { Database, Tx } from '../platform/database/database.ts';
import { incomingPayments, type JsonObject, outgoingPayments } from './tables.ts';

// The operator's search looks through one text beside the payment. The node writes that text with the payment, and
// anew when the operator changes a note. It adds who paid once that is proven. Each part begins with a mark that no
// typed text contains, so that the search can look for one part alone.
const REFERENCE = '\u0001';
const DESCRIPTION = '\u0002';
const NOTE = '\u0003';
const PAYER = '\u0004';

/**
 * The search reads this many characters of a description or reference, and no more, because an index holds a copy of
 * the text.
 */
const SEARCHED_LENGTH = 300;
/** How many payments of an older data folder one write fills in. */
const PIECE = 500;
/**
 * A searched text that is as long as this takes no more payers. Whoever has the link of a request can pay it again and
 * again.
 */
const MOST_WITH_PAYERS = 3_000;

/** The form in which texts are compared: small letters, and one form for a character that has several. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** The description and the reference that the client gave with a payment. Each is null unless it is text. */
export function said(metadata: JsonObject | null): { description: string | null; reference: string | null } {
  const { description, externalRef } = metadata ?? {};
  return {
    description: typeof description === 'string' ? description : null,
    reference: typeof externalRef === 'string' ? externalRef : null,
  };
}

/**
 * What the search looks through for a payment: its reference, its description, and what the operator noted.
 * @param kept what the operator keeps for themselves about a request. Their reference comes before a public one.
 */
export function searchTextOf(metadata: JsonObject | null, kept: { note?: string | null; reference?: string | null } = {}): string {
  const { note = null } = kept;
  const { description, reference: publicReference } = said(metadata);
  const reference = kept.reference ?? publicReference;
  const part = (text: string | null) => cleaned((text ?? '').slice(0, SEARCHED_LENGTH));
  const noted = note === null ? [] : [NOTE, part(note)];
  return [REFERENCE, part(reference), DESCRIPTION, part(description), ...noted].join('');
}

/**
 * The searched text of an incoming payment together with a payer's address. An address that is in it is not added.
 * @param search it is null in the books of an older version, until the node has filled it in.
 */
export function payerSearchText(search: string | null, payer: string): string | null {
  const part = PAYER + cleaned(payer.slice(0, SEARCHED_LENGTH));
  if (search === null || search.length >= MOST_WITH_PAYERS || search.endsWith(part) || search.includes(part + PAYER)) return search;
  return search + part;
}

/** The searched text with other words of the operator. The payers in the former one stay. */
export function searchTextWithPayers(search: string, former: string | null): string {
  const payers = former?.indexOf(PAYER) ?? -1;
  return payers < 0 ? search : search + former?.slice(payers);
}

/**
 * The text to look for anywhere in a searched text. It is undefined when nothing is left of what the operator typed.
 */
export const needleOf = (typed: string | undefined): string | undefined => cleaned(typed ?? '').trim() || undefined;

/** The text to look for so that the search finds only references that begin with what the operator typed. */
export function referenceNeedleOf(typed: string | undefined): string | undefined {
  const needle = needleOf(typed);
  return needle === undefined ? undefined : REFERENCE + needle;
}

/** Folds the text and takes out control characters, because they are the marks. */
const cleaned = (text: string): string => folded(text).replace(/\p{Cc}+/gu, ' ');

/**
 * Fills in the searched text of payments from a version that had none. It can be stopped at any point: the next start
 * does the rest.
 */
export async function fillSearchTexts(database: Database): Promise<void> {
  for (const table of [incomingPayments, outgoingPayments]) {
    for (let left = true; left; ) {
      left = await database.write(async (tx: Tx) => {
        const rows = await tx.select({ id: table.id, metadata: table.metadata }).from(table).where(isNull(table.search)).limit(PIECE);
        for (const { id, metadata } of rows)
          await tx
            .update(table)
            .set({ search: searchTextOf(metadata) })
            .where(eq(table.id, id));
        return rows.length === PIECE;
      });
    }
  }
}
