import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Makes an empty database.
 * @param server the URL of a server whose user may make databases.
 * @param prefix what its name begins with.
 * @returns its URL.
 */
export async function newDatabase(server: string, prefix: string): Promise<string> {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  try {
    await admin.query(`create database ${name} template template0 encoding 'UTF8'`);
  } finally {
    await admin.end();
  }
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}
