import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import type { Core } from '../../platform/core.ts';
import { writePrivateFile } from '../../platform/data-folder/data-folder.ts';
import { type Database, prepared, type Reader } from '../../platform/database/database.ts';
import { newSecret } from '../../platform/ids.ts';
import { operatorToken } from '../tables.ts';

/** The file in the data folder that holds the token for scripts. */
export const OPERATOR_TOKEN_FILE = 'operator-token';

const byHash = prepared((reader: Reader) =>
  reader
    .select({ id: operatorToken.id })
    .from(operatorToken)
    .where(eq(operatorToken.tokenHash, sql.placeholder('tokenHash')))
    .prepare(),
);

/**
 * Makes sure at start that the token file exists, and that the database holds its hash and no other. It replaces a file
 * that is missing, damaged or readable by others. The token in the old file ends with that.
 */
export async function ensureOperatorToken(parts: Pick<Core, 'database' | 'clock'> & { dataFolder: string }): Promise<void> {
  const path = join(parts.dataFolder, OPERATOR_TOKEN_FILE);
  const token = readToken(path) ?? newSecret();
  if (readToken(path) === undefined) writePrivateFile(path, `${token}\n`);
  const row = { tokenHash: hashSecret(token), createdAt: parts.clock.now() };
  await parts.database.write(async (tx) => {
    const [stored] = await tx.select().from(operatorToken).where(eq(operatorToken.id, 'operator'));
    if (stored?.tokenHash === row.tokenHash) return;
    await tx
      .insert(operatorToken)
      .values({ id: 'operator', ...row })
      .onConflictDoUpdate({ target: operatorToken.id, set: row });
  });
}

export async function isOperatorToken(database: Database, token: string): Promise<boolean> {
  return (await byHash(database.read).execute({ tokenHash: hashSecret(token) })).length > 0;
}

function readToken(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const openToOthers = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
  const token = readFileSync(path, 'utf8').trim();
  return openToOthers || !/^[A-Za-z0-9_-]{43}$/.test(token) ? undefined : token;
}
