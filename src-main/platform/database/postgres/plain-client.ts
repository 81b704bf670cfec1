import type pg from 'pg';

/** How long the server may take to accept a connection, in milliseconds. */
const CONNECT_MS = 15_000;

/**
 * The server ends a connection whose computer has said nothing for a minute, and lets its locks go. Without this, it
 * waits for two hours. A server that is too old for paydesk does not know all of them, and is to be told so in words.
 */
const LET_GO = `select set_config(name, value, false) from pg_settings join (values ('tcp_user_timeout', '60000'),
  ('tcp_keepalives_idle', '15'), ('tcp_keepalives_interval', '15'), ('tcp_keepalives_count', '3')) as ours (name, value) using (name)`;

/**
 * Connects for work that takes long, or that holds a lock: a start, a migration, a move, an export
 * (decisions.md#D-198). The caller ends the connection.
 * @param more what else of the driver's settings differs.
 * @throws the error of the driver when the server cannot be reached.
 */
export async function plainClient(url: string, more: pg.ClientConfig = {}): Promise<pg.Client> {
  const { default: driver } = await import('pg');
  const client = new driver.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS, keepAlive: true, ...more });
  // A connection that is lost fails the statement that waits, which says so.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(LET_GO);
  return client;
}
