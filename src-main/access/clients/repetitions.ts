import { createHash } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import type { VerifiedRequest, VerifiedSignature } from '../http-signatures/http-signatures.ts';
import { seenSignatures } from '../tables.ts';

/** How long after `created` a signature is accepted, in seconds (decisions.md#D-44). */
export const MAX_AGE_SECONDS = 300;

/** What a thing is remembered by for as long as it could come again. */
interface Mark {
  /** SHA-256, base64url. */
  hash: string;
  /** When its signature has become too old to be accepted, in milliseconds since the Unix epoch. */
  expiresAt: number;
}

/**
 * What a signed request is recognised by: each of its valid signatures. A copy of the request may have lost some of
 * them, or hold them in another order (decisions.md#D-45).
 */
export type RequestMarks = readonly Mark[];

const markOf = ({ created }: VerifiedSignature, ...parts: (string | Buffer)[]): Mark => {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part).update('\n');
  return { hash: digest.digest('base64url'), expiresAt: (created + MAX_AGE_SECONDS + 1) * 1_000 };
};

export const marksOf = ({ signatures }: VerifiedRequest): RequestMarks =>
  signatures.map((signature) => markOf(signature, signature.thumbprint, signature.signature));

/** What the nonces of a request are remembered by. */
export const nonceMarks = ({ signatures }: VerifiedRequest): RequestMarks =>
  signatures.flatMap((signature) =>
    signature.nonce === undefined ? [] : [markOf(signature, 'nonce', signature.thumbprint, signature.nonce)],
  );

const byHash = prepared((reader: Reader) =>
  reader
    .select({ madeId: seenSignatures.madeId })
    .from(seenSignatures)
    .where(eq(seenSignatures.hash, sql.placeholder('hash')))
    .prepare(),
);

/**
 * The id of what a copy of this request has made before. It is undefined for a request that was not seen yet, and for
 * one without marks, which is the operator's.
 */
export async function madeBefore(reader: Reader, marks: RequestMarks | undefined): Promise<string | undefined> {
  for (const { hash } of marks ?? []) {
    const [row] = await byHash(reader).execute({ hash });
    if (row?.madeId != null) return row.madeId;
  }
  return undefined;
}

/**
 * Remembers what a request has made, in the write that makes it, under each of its signatures. It also serves a copy
 * that has more signatures than the request before.
 */
export async function rememberMade(tx: Tx, marks: RequestMarks | undefined, madeId: string): Promise<void> {
  for (const { hash, expiresAt } of marks ?? []) await tx.insert(seenSignatures).values({ hash, madeId, expiresAt }).onConflictDoNothing();
}

/** Remembers nonces. @returns whether all of them are new. */
export async function rememberNonces(tx: Tx, marks: RequestMarks): Promise<boolean> {
  let allNew = true;
  for (const { hash, expiresAt } of marks) {
    const added = await tx.insert(seenSignatures).values({ hash, madeId: null, expiresAt }).onConflictDoNothing().returning();
    allNew &&= added.length > 0;
  }
  return allNew;
}
