import { sealKeyProblems as problems } from '../../../src-shared/words/terminal/shared-database.ts';
import type { Core } from '../core.ts';
import type { Tx } from '../database/database.ts';
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
  const seal = new Seal(sealKey);
  const fresh = { id: 'node', sealed: seal.seal(JSON.stringify(newStoredSecrets()), PURPOSE), createdAt: clock.now() };
  const [known] = await database.read.select().from(nodeKeys);
  const row = known ?? (await database.write((tx) => firstOf(tx, fresh)));
  const text = seal.open(row.sealed, PURPOSE);
  if (text === undefined) throw new ReportedError(problems.doesNotOpen);
  return StoredSecrets.parse(JSON.parse(text));
}

type Row = typeof nodeKeys.$inferSelect;

/** Stores the row unless another replica was faster. @returns what is stored. */
async function firstOf(tx: Tx, fresh: Row): Promise<Row> {
  await tx.insert(nodeKeys).values(fresh).onConflictDoNothing();
  const [stored] = await tx.select().from(nodeKeys);
  return stored ?? fresh;
}
