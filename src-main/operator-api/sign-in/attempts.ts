import { and, count, eq, gt, inArray, lte } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import type { Core } from '../../platform/core.ts';
import type { Tx } from '../../platform/database/database.ts';
import { networkOf } from '../../platform/outbound-http/targets.ts';
import { delayAfter } from '../lock/lock-passphrase.ts';
import { signInAttempts } from '../tables.ts';

/** The node holds nothing against anybody after a day without an attempt. */
const FORGOTTEN_MS = 24 * 3_600_000;
/** An address has this many more free attempts than a name, because a whole shop may sit behind it. */
const MORE_FOR_ADDRESS = 17;
/** Strangers can make up names. So many are counted at most; the oldest ones go. */
const MOST_COUNTED = 10_000;

/** Who tries: a name that was typed, known or not, and the address from which it came. */
export interface Trier {
  signInName: string;
  address: string;
}

const nameKey = ({ signInName }: Trier): string => `name ${hashSecret(signInName)}`;
const addressKey = ({ address }: Trier): string => `address ${networkOf(address)}`;

/**
 * Attempts to sign in with a password. Each is counted in the database before the password is looked at, so neither a
 * restart nor a second replica gives attempts away.
 */
export class SignInAttempts {
  readonly #parts: Pick<Core, 'database' | 'clock'>;

  constructor(parts: Pick<Core, 'database' | 'clock'>) {
    this.#parts = parts;
  }

  /** Counts an attempt. @returns for how many seconds it comes too early. Such an attempt is not counted. */
  async count(trier: Trier): Promise<number> {
    const at = this.#parts.clock.now();
    return await this.#parts.database.write(async (tx) => {
      const keys = [nameKey(trier), addressKey(trier)];
      const these = inArray(signInAttempts.counted, keys);
      // What a clock stored that was ahead would keep everybody waiting until that time comes.
      await tx
        .update(signInAttempts)
        .set({ lastAttemptAt: at })
        .where(and(these, gt(signInAttempts.lastAttemptAt, at)));
      const rows = await tx.select().from(signInAttempts).where(these);
      const fresh = rows.filter(({ lastAttemptAt }) => at - lastAttemptAt < FORGOTTEN_MS);
      const wait = Math.max(0, ...fresh.map((row) => waitOf(row, at)));
      if (wait > 0) return Math.ceil(wait / 1_000);
      await forgetOld(tx, at);
      for (const counted of keys) {
        const wrongInARow = (fresh.find((row) => row.counted === counted)?.wrongInARow ?? 0) + 1;
        const set = { wrongInARow, lastAttemptAt: at };
        await tx
          .insert(signInAttempts)
          .values({ counted, ...set })
          .onConflictDoUpdate({ target: signInAttempts.counted, set });
      }
      return 0;
    });
  }
}

/**
 * Takes back what was counted for an attempt that was right, in the write that signs in. The address keeps its earlier
 * wrong attempts: whoever has a sign-in of their own gets no free guesses at those of others by it.
 */
export async function countAsRight(tx: Tx, trier: Trier): Promise<void> {
  await tx.delete(signInAttempts).where(eq(signInAttempts.counted, nameKey(trier)));
  const [row] = await tx
    .select()
    .from(signInAttempts)
    .where(eq(signInAttempts.counted, addressKey(trier)));
  if (row === undefined) return;
  await tx
    .update(signInAttempts)
    .set({ wrongInARow: Math.max(0, row.wrongInARow - 1) })
    .where(eq(signInAttempts.counted, row.counted));
}

/** How long the next attempt has to wait, in milliseconds. */
function waitOf({ counted, wrongInARow, lastAttemptAt }: typeof signInAttempts.$inferSelect, at: number): number {
  const wrong = counted.startsWith('address ') ? wrongInARow - MORE_FOR_ADDRESS : wrongInARow;
  const delay = delayAfter(wrong) * 1_000;
  return delay - (at - lastAttemptAt);
}

async function forgetOld(tx: Tx, at: number): Promise<void> {
  await tx.delete(signInAttempts).where(lte(signInAttempts.lastAttemptAt, at - FORGOTTEN_MS));
  const [all] = await tx.select({ count: count() }).from(signInAttempts);
  if (Number(all?.count) < MOST_COUNTED) return;
  const oldest = await tx
    .select()
    .from(signInAttempts)
    .orderBy(signInAttempts.lastAttemptAt)
    .limit(MOST_COUNTED / 10);
  await tx.delete(signInAttempts).where(
    inArray(
      signInAttempts.counted,
      oldest.map(({ counted }) => counted),
    ),
  );
}
