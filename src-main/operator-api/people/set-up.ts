import { randomBytes } from 'node:crypto';
import { and, eq, gt, lte } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import { activities } from '../../journal/tables.ts';
import type { Core } from '../../platform/core.ts';
import type { Reader } from '../../platform/database/database.ts';
import { base32 } from '../../platform/secrets/base32.ts';
import { FIRST_OWNER, operatorLinks, operatorSessions, people } from '../tables.ts';

/** How long a setup code works, in milliseconds. A later start makes another one. */
const SET_UP_MS = 24 * 3_600_000;
/**
 * How long a code goes on beside those of later starts, in milliseconds. Replicas that start together each show a code,
 * and whoever reads the log of one types that.
 */
const BESIDE_MS = 10 * 60_000;
const CODE_BYTES = 15;

const PREFIX = 'setup ';

/** The secret of the link that a setup code stands for. People type the code, so only its letters and digits count. */
export const setUpSecret = (code: string): string => `${PREFIX}${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`;

/** Whether a secret stands for a setup code. It opens nothing once the node belongs to somebody. */
export const isSetUpSecret = (secret: string): boolean => secret.startsWith(PREFIX);

/**
 * Whether the node belongs to nobody yet: nobody has signed in, and nobody has done anything. Books that were restored
 * belong to somebody.
 */
export async function isNobodys(reader: Reader): Promise<boolean> {
  const found = await Promise.all([
    reader.select({ id: people.id }).from(people).limit(1),
    reader.select({ number: activities.number }).from(activities).limit(1),
    reader.select({ id: operatorSessions.id }).from(operatorSessions).where(eq(operatorSessions.isLimited, false)).limit(1),
  ]);
  return found.every((rows) => rows.length === 0);
}

/**
 * Makes the setup code of a node that belongs to nobody: a sign-in link of the first owner that a person can type.
 * @param given the code that the operator has chosen. Without it the node makes one of 120 random bits.
 * @returns the code. It is undefined when the node belongs to somebody.
 */
export async function offerSetUp({ database, clock }: Pick<Core, 'database' | 'clock'>, given?: string): Promise<string | undefined> {
  const code = given ?? (base32(randomBytes(CODE_BYTES)).match(/.{4}/g) ?? []).join('-');
  const createdAt = clock.now();
  const link = { secretHash: hashSecret(setUpSecret(code)), personId: FIRST_OWNER, createdAt, expiresAt: createdAt + SET_UP_MS };
  return await database.write(async (tx) => {
    if (!(await isNobodys(tx))) return undefined;
    const former = given === undefined ? lte(operatorLinks.createdAt, createdAt - BESIDE_MS) : undefined;
    await tx.delete(operatorLinks).where(and(eq(operatorLinks.personId, FIRST_OWNER), former));
    await tx.insert(operatorLinks).values(link);
    return code;
  });
}

/** Whether a setup code waits for the first visit. */
export async function waitsForSetUp(reader: Reader, now: number): Promise<boolean> {
  const links = await reader
    .select({ personId: operatorLinks.personId })
    .from(operatorLinks)
    .where(and(eq(operatorLinks.personId, FIRST_OWNER), gt(operatorLinks.expiresAt, now)))
    .limit(1);
  return links.length > 0 && (await isNobodys(reader));
}
