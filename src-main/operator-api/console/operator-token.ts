import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { hashSecret } from '../../access/secrets.ts';
import type { Core } from '../../platform/core.ts';
import { writePrivateFile } from '../../platform/data-folder/data-folder.ts';
import { type Database, prepared, type Reader, type Tx } from '../../platform/database/database.ts';
import { newSecret } from '../../platform/ids.ts';
import { isAbandoned } from '../../platform/replicas/holders.ts';
import { operatorToken } from '../tables.ts';
import { OPERATOR_TOKEN_FILE } from './console-files.ts';

const byHash = prepared((reader: Reader) =>
  reader
    .select({ id: operatorToken.id })
    .from(operatorToken)
    .where(eq(operatorToken.tokenHash, sql.placeholder('tokenHash')))
    .prepare(),
);

interface Parts extends Pick<Core, 'database' | 'clock'> {
  dataFolder: string;
  /** Which process has this data folder. Without a name the books are there, too, and there is only one token. */
  holder?: string | undefined;
}

/**
 * Makes sure at start that the token file exists, and that the database holds its hash and no other of this process. It
 * replaces a file that is missing, damaged or readable by others. The token in the old file ends with that.
 */
export async function ensureOperatorToken({ holder: id = 'operator', ...parts }: Parts): Promise<void> {
  const path = join(parts.dataFolder, OPERATOR_TOKEN_FILE);
  const token = readToken(path) ?? newSecret();
  if (readToken(path) === undefined) writePrivateFile(path, `${token}\n`);
  const now = parts.clock.now();
  await parts.database.write((tx) => store(tx, { id, token }, now));
}

async function store(tx: Tx, { id, token }: { id: string; token: string }, createdAt: number): Promise<void> {
  const row = { tokenHash: hashSecret(token), createdAt };
  const [stored] = await tx.select().from(operatorToken).where(eq(operatorToken.id, id));
  if (stored?.tokenHash === row.tokenHash) return;
  await tx
    .insert(operatorToken)
    .values({ id, ...row })
    .onConflictDoUpdate({ target: operatorToken.id, set: row });
}

/** Ends the tokens of replicas that are gone, within the write that removes them. */
export async function endTokensOfGone(tx: Tx): Promise<void> {
  await tx.delete(operatorToken).where(isAbandoned(tx, operatorToken.id));
}

/**
 * Lets the token in a data folder count again, within the write in which its replica comes back that others had taken
 * for dead. Without a file there was no token yet.
 */
export async function restoreToken(tx: Tx, { dataFolder, holder: id }: { dataFolder: string; holder: string }, at: number): Promise<void> {
  const token = readToken(join(dataFolder, OPERATOR_TOKEN_FILE));
  if (token !== undefined) await store(tx, { id, token }, at);
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
