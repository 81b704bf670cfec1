import { eq, isNull } from 'drizzle-orm';
import type { Database, Tx } from '../platform/database/database.ts';
import { incomingPayments, type JsonObject, outgoingPayments } from './tables.ts';

// What the operator's search looks through, in one text beside the payment: it is written with the payment and never changes. Each part
// begins with a mark that no typed text holds, so that one of them can be looked for alone.
const REFERENCE = '\u0001';
const DESCRIPTION = '\u0002';

/** More of a description or reference than this is not searched: the text is kept in an index as well. In characters. */
const SEARCHED_LENGTH = 300;
/** How many payments of an older data folder are filled in at a time. */
const PIECE = 500;

/** Text in the form in which it is compared: small letters, and one form where a character has several. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/** What a client says of a payment, where it is text. */
export function said(metadata: JsonObject | null): { description: string | null; reference: string | null } {
  const { description, externalRef } = metadata ?? {};
  return {
    description: typeof description === 'string' ? description : null,
    reference: typeof externalRef === 'string' ? externalRef : null,
  };
}

/** The searched text of a payment: its reference and what it is for. */
export function searchTextOf(metadata: JsonObject | null): string {
  const { description, reference } = said(metadata);
  const part = (text: string | null) => cleaned((text ?? '').slice(0, SEARCHED_LENGTH));
  return [REFERENCE, part(reference), DESCRIPTION, part(description)].join('');
}

/** The text to look for anywhere in a searched text; undefined when nothing is left of what was typed. */
export const needleOf = (typed: string | undefined): string | undefined => cleaned(typed ?? '').trim() || undefined;

/** The text to look for so that only references that begin with what was typed are found. */
export function referenceNeedleOf(typed: string | undefined): string | undefined {
  const needle = needleOf(typed);
  return needle === undefined ? undefined : REFERENCE + needle;
}

/** Folded, and without control characters: they are the marks. */
const cleaned = (text: string): string => folded(text).replace(/\p{Cc}+/gu, ' ');

/** Fills in the searched text of payments from a version that had none. Safe to stop at any point: the rest is done at the next start. */
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
