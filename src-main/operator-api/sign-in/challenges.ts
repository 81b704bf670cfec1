import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import type { Core } from '../../platform/core.ts';
import { prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newSecret } from '../../platform/ids.ts';
import { type ChallengePurpose, signInChallenges } from '../tables.ts';

/** How long a challenge can be answered, in milliseconds. */
export const CHALLENGE_MS = 5 * 60_000;
/** The most challenges of strangers that wait for an answer. A further one takes the place of the oldest. */
const MOST_OPEN = 1_000;

/** What a challenge is for. No answer counts for anything else. */
interface Bound {
  purpose: ChallengePurpose;
  /** The origin of the page that asks. */
  site: string;
  /** The session that asks. Null when somebody wants to sign in. */
  sessionId: string | null;
}

type Row = typeof signInChallenges.$inferSelect;

const byHash = prepared((reader: Reader) =>
  reader
    .select()
    .from(signInChallenges)
    .where(eq(signInChallenges.challengeHash, sql.placeholder('challengeHash')))
    .prepare(),
);

/**
 * What the node has asked browsers to answer. Each challenge is a row, so that any replica can take the answer, and
 * none takes it a second time.
 */
export class Challenges {
  readonly #parts: Pick<Core, 'database' | 'clock'>;

  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /**
   * Makes a challenge of 256 random bits.
   * @param lifeMs how long it can be answered.
   * @param secret what is needed when the answer comes, sealed.
   */
  async make(bound: Bound, { lifeMs = CHALLENGE_MS, secret = null }: { lifeMs?: number; secret?: string | null } = {}): Promise<string> {
    const challenge = newSecret();
    const createdAt = this.#parts.clock.now();
    const row: Row = { challengeHash: hashSecret(challenge), ...bound, secret, createdAt, expiresAt: createdAt + lifeMs };
    await this.#parts.database.write(async (tx) => {
      await tx.delete(signInChallenges).where(lte(signInChallenges.expiresAt, createdAt));
      if (bound.sessionId === null) await makeRoom(tx);
      // Who begins anew gives the former beginning up.
      else
        await tx
          .delete(signInChallenges)
          .where(and(eq(signInChallenges.sessionId, bound.sessionId), eq(signInChallenges.purpose, bound.purpose)));
      await tx.insert(signInChallenges).values(row);
    });
    return challenge;
  }

  /** @returns the challenge while it can be answered for this. It stays until {@link takeChallenge} takes it. */
  async look(challenge: string, bound: Bound): Promise<Row | undefined> {
    const [row] = await byHash(this.#parts.database.read).execute({ challengeHash: hashSecret(challenge) });
    if (row === undefined || row.expiresAt <= this.#parts.clock.now()) return undefined;
    const isIt = row.purpose === bound.purpose && row.site === bound.site && row.sessionId === bound.sessionId;
    return isIt ? row : undefined;
  }
}

/** Uses a challenge up, in the write that does what it was answered for. @returns false when somebody has done so. */
export async function takeChallenge(tx: Tx, { challengeHash }: Pick<Row, 'challengeHash'>): Promise<boolean> {
  const taken = await tx
    .delete(signInChallenges)
    .where(eq(signInChallenges.challengeHash, challengeHash))
    .returning({ challengeHash: signInChallenges.challengeHash });
  return taken.length > 0;
}

async function makeRoom(tx: Tx): Promise<void> {
  const open = await tx
    .select({ challengeHash: signInChallenges.challengeHash })
    .from(signInChallenges)
    .where(isNull(signInChallenges.sessionId))
    .orderBy(asc(signInChallenges.createdAt));
  const over = open.slice(0, Math.max(0, open.length - MOST_OPEN + 1)).map(({ challengeHash }) => challengeHash);
  if (over.length > 0) await tx.delete(signInChallenges).where(inArray(signInChallenges.challengeHash, over));
}
