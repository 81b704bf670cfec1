import { hash } from 'node:crypto';
import { eq, inArray, lt, type SQL, sql } from 'drizzle-orm';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { placeholdersOf } from '../../platform/database/placeholders.ts';
import type { VerifiedRequest, VerifiedSignature } from '../http-signatures/http-signatures.ts';
import { seenSignatures } from '../tables.ts';

/** How long after `created` a signature is accepted, in seconds (decisions.md#D-44). */
export const MAX_AGE_SECONDS = 300;

/**
 * What a signed request is recognised by: each of its valid signatures. A copy of the request may have lost some of
 * them, or hold them in another order (decisions.md#D-45).
 */
export type RequestMarks = readonly string[];

/** Enough hexadecimal digits that nobody finds two things with one mark: 128 bits. */
const HASH_DIGITS = 32;

/**
 * The beginning of every mark whose signature has become too old to be accepted at this moment, in seconds since the
 * Unix epoch. Marks therefore sort by their time: new ones stand together in the index, and so do those that go.
 */
const beginningOf = (seconds: number): string => seconds.toString().padStart(11, '0');

/**
 * What a thing is remembered by for as long as it could come again. The signature covers `created`, so a copy has the
 * same one. Marks are decimal and hexadecimal digits only, which every collation sorts in the same order.
 */
const markOf = ({ created }: VerifiedSignature, ...parts: (string | Buffer)[]): string => {
  const bytes = Buffer.concat(parts.flatMap((part) => [typeof part === 'string' ? Buffer.from(part) : part, LINE_END]));
  return beginningOf(created + MAX_AGE_SECONDS + 1) + hash('sha256', bytes, 'hex').slice(0, HASH_DIGITS);
};
const LINE_END = Buffer.from('\n');

/** Selects the marks of signatures that were too old already at `before`, in milliseconds since the Unix epoch. */
export const marksBefore = (before: number): SQL => lt(seenSignatures.mark, beginningOf(Math.floor(before / 1_000)));

export const marksOf = ({ signatures }: VerifiedRequest): RequestMarks =>
  signatures.map((signature) => markOf(signature, signature.thumbprint, signature.signature));

/** What the nonces of a request are remembered by. */
export const nonceMarks = ({ signatures }: VerifiedRequest): RequestMarks =>
  signatures.flatMap((signature) =>
    signature.nonce === undefined ? [] : [markOf(signature, 'nonce', signature.thumbprint, signature.nonce)],
  );

/** What a write touches that remembers these marks; see `Database.write`. */
export const touchedByMarks = (marks: RequestMarks = []): string[] => marks.map((mark) => `mark:${mark}`);

const byMark = prepared((reader: Reader) =>
  reader
    .select({ madeId: seenSignatures.madeId })
    .from(seenSignatures)
    .where(eq(seenSignatures.mark, sql.placeholder('mark')))
    .prepare(),
);
const insert = prepared((tx: Tx) =>
  tx.insert(seenSignatures).values(placeholdersOf(seenSignatures)).onConflictDoNothing().returning({ mark: seenSignatures.mark }).prepare(),
);

/**
 * The id of what a copy of this request has made before. It is undefined for a request that was not seen yet, and for
 * one without marks, which is the operator's.
 */
export async function madeBefore(reader: Reader, marks: RequestMarks | undefined): Promise<string | undefined> {
  for (const mark of marks ?? []) {
    const [row] = await byMark(reader).execute({ mark });
    if (row?.madeId != null) return row.madeId;
  }
  return undefined;
}

/**
 * Remembers what a request has made, in the write that makes it, under each of its signatures.
 * @returns the id of what a copy has made before. Then the request makes nothing, and signatures that the copy did not
 * have lead there, too. It is undefined for the first request, which is known after one statement for each signature.
 */
export async function rememberMade(tx: Tx, marks: RequestMarks | undefined, madeId: string): Promise<string | undefined> {
  const [fresh, known]: [string[], string[]] = [[], []];
  for (const mark of marks ?? []) ((await isNew(tx, mark, madeId)) ? fresh : known).push(mark);
  const earlier = await madeBefore(tx, known);
  if (earlier !== undefined && fresh.length > 0) {
    await tx.update(seenSignatures).set({ madeId: earlier }).where(inArray(seenSignatures.mark, fresh));
  }
  return earlier;
}

/** Remembers nonces. @returns whether all of them are new. */
export async function rememberNonces(tx: Tx, marks: RequestMarks): Promise<boolean> {
  let allNew = true;
  for (const mark of marks) allNew = (await isNew(tx, mark, null)) && allNew;
  return allNew;
}

const isNew = async (tx: Tx, mark: string, madeId: string | null): Promise<boolean> =>
  (await insert(tx).execute({ mark, madeId })).length > 0;
