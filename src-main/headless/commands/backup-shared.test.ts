import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { markOf } from '../../backup/backups.ts';
import { systemClock } from '../../platform/clock.ts';
import { PostgresDatabase } from '../../platform/database/postgres/postgres-database.ts';
import { hasPostgres, migratedDatabase, type OneDatabase } from '../../platform/database/testing/postgres-databases.ts';
import { newSealKey, readSealKey } from '../../platform/secrets/seal-key.ts';
import { sharedSecrets } from '../../platform/secrets/shared-secrets.ts';
import { type Config, readCommandLine } from '../../platform/settings/config.ts';
import { backupShared } from './backup-shared.ts';

/** Below it, as below the folder of the built parts, `../../drizzle` has the migrations. */
const BUILT = join(import.meta.dirname, '..');

let server: OneDatabase;
let folder: string;
let config: Config;
let mark: string;
beforeEach(async ({ skip }) => {
  skip(!hasPostgres);
  server = migratedDatabase();
  folder = mkdtempSync(join(tmpdir(), 'paydesk-backup-shared-'));
  const key = newSealKey();
  const database = new PostgresDatabase(server.url, { listens: false, ready: server.ready });
  const sealKey = await readSealKey({ text: key, file: undefined, command: undefined });
  mark = markOf(await sharedSecrets({ database, clock: systemClock }, sealKey));
  await database.close();
  const read = readCommandLine([], { PAYDESK_DATABASE: server.url, PAYDESK_KEY: key });
  if (read.command !== 'run') throw new Error(read.command);
  config = { ...read.config, backupPassphrase: 'seven plain words make a long one' };
});
afterEach(async () => {
  if (!hasPostgres) return;
  await server.drop();
  rmSync(folder, { recursive: true });
});

it('a backup by the command removes what one that was killed has left, and is refused where there is too little room', async () => {
  const part = (at: number) => `paydesk-${new Date(at).toISOString().slice(0, 19).replace('T', '-').replaceAll(':', '')}-${mark}.age.part`;
  const [young, old] = [part(Date.now() - 60_000), part(Date.now() - 4_000_000)];
  for (const name of [young, old]) writeFileSync(join(folder, name), '');
  const made = backupShared({ operands: [], options: { folder }, config }, BUILT, { print: () => undefined }, () => 1_000_000);
  await expect(made).rejects.toThrow(/^The backup needs \d+ MB on the disk of its folder, and 1 MB are free\./);
  // Another replica may be making the younger one.
  expect(readdirSync(folder)).toEqual([young]);
});
