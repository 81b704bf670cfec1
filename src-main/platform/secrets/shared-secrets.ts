import { eq } from 'drizzle-orm';
import { sealKeyProblems as problems } from '../../../src-shared/words/terminal/shared-database.ts';
import type { Core } from '../core.ts';
import type { Reader, Tx } from '../database/database.ts';
import { ReportedError } from '../errors.ts';
import { newStoredSecrets, StoredSecrets } from './node-secrets.ts';
import { Seal } from './seal.ts';
import { nodeKeys } from './tables.ts';

const PURPOSE = 'node-keys';

/**
 * Reads the keys of a node from its shared database. The first start makes them, in one write, and every other start
 * finds them.
 * @param sealKey 32 bytes
 * @throws ReportedError when the key does not open them.
 */
export async function sharedSecrets({ database, clock }: Pick<Core, 'database' | 'clock'>, sealKey: Buffer): Promise<StoredSecrets> {
  const fresh = { id: 'node', sealed: sealedKeys(newStoredSecrets(), sealKey), createdAt: clock.now() };
  const known = await keysIn(database.read);
  const row = known ?? (await database.write((tx) => firstOf(tx, fresh)));
  return openKeys(row, sealKey);
}

/** @returns the keys of a node as they stand in its shared database. */
export const sealedKeys = (secrets: StoredSecrets, sealKey: Buffer): string => new Seal(sealKey).seal(JSON.stringify(secrets), PURPOSE);

/** The row of the keys. It is undefined when no node has begun in this database. */
export async function keysIn(read: Pick<Reader, 'select'>): Promise<Row | undefined> {
  const [row] = await read.select().from(nodeKeys).where(eq(nodeKeys.id, 'node'));
  return row;
}

/** @throws ReportedError when the key does not open them. */
export function openKeys({ sealed }: Pick<Row, 'sealed'>, sealKey: Buffer): StoredSecrets {
  const text = new Seal(sealKey).open(sealed, PURPOSE);
  if (text === undefined) throw new ReportedError(problems.doesNotOpen);
  return StoredSecrets.parse(JSON.parse(text));
}

type Row = typeof nodeKeys.$inferSelect;

/** Stores the row unless another replica was faster. @returns what is stored. */
async function firstOf(tx: Tx, fresh: Row): Promise<Row> {
  await tx.insert(nodeKeys).values(fresh).onConflictDoNothing();
  return (await keysIn(tx)) ?? fresh;
}
