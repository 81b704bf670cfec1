import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../../platform/clock.ts';
import type { PostgresDatabase } from '../../platform/database/postgres/postgres-database.ts';
import { hasPostgres } from '../../platform/database/testing/postgres-databases.ts';
import { openPostgresTest } from '../../platform/database/testing/postgres-test.ts';
import { createLogger } from '../../platform/logs/logger.ts';
import { nodeKeys } from '../../platform/secrets/tables.ts';
import { SEEN_TURNS_FILE, SeenTurnsFile } from './seen-turns.ts';

const DAY_MS = 24 * 3_600_000;

describe.runIf(hasPostgres)('a replica that is started again', () => {
  let test: ReturnType<typeof openPostgresTest>;
  let dataFolder: string;
  let clock: ManualClock;
  const fileOn = (database: PostgresDatabase) =>
    new SeenTurnsFile({ database, clock, dataFolder, where: 'db.example:5432/books', log: createLogger('silent') });
  const afterRestart = () => fileOn(test.database).compare();

  beforeEach(async () => {
    test = openPostgresTest();
    dataFolder = mkdtempSync(join(tmpdir(), 'paydesk-seen-'));
    clock = new ManualClock(Date.UTC(2026, 0, 1));
    await test.database.write((tx) => tx.insert(nodeKeys).values({ id: 'node', sealed: 'sealed keys', createdAt: 0 }));
    const former = test.again();
    const end = await fileOn(former).start();
    for (const at of [1, 2, 3]) await former.write((tx) => tx.update(nodeKeys).set({ createdAt: at }));
    end();
    await former.close();
  });
  afterEach(async () => {
    await test.dispose();
    rmSync(dataFolder, { recursive: true });
  });

  it('begins when the database has what it has seen, and more', async () => {
    await afterRestart();
    await test.database.write((tx) => tx.update(nodeKeys).set({ createdAt: 4 }));
    await afterRestart();
  });

  it('refuses to begin when turns are gone that it has seen, each time, and says how to go on', async () => {
    await test.tamper('update turns set term = term - 1');
    for (const _ of [1, 2]) await expect(afterRestart()).rejects.toThrow(`Then remove ${join(dataFolder, SEEN_TURNS_FILE)}`);
    rmSync(join(dataFolder, SEEN_TURNS_FILE));
    await afterRestart();
  });

  it.each(['update turn_writers set batch = batch - 1', 'delete from turn_writers'])(
    'refuses to begin when others have made up for the turns, and its own commits are gone: %s',
    async (lost) => {
      await test.tamper(lost);
      await test.tamper('update turns set term = term + 100');
      await expect(afterRestart()).rejects.toThrow('has lost changes');
    },
  );

  it('refuses to begin when it met the loss, and was killed within a second of the commit that is gone', async () => {
    const former = test.again();
    const file = fileOn(former);
    const end = await file.start();
    await former.write((tx) => tx.update(nodeKeys).set({ createdAt: 5 }));
    file.remember();
    await test.tamper('update turn_writers set batch = batch - 1');
    await expect(afterRestart()).rejects.toThrow('has lost changes');
    end();
    await former.close();
  });

  it('begins after three months, when the database has forgotten how much it had committed', async () => {
    await test.tamper('delete from turn_writers');
    clock.advance(91 * DAY_MS);
    await afterRestart();
  });

  it('begins with the books of another node', async () => {
    await test.tamper(`update turns set term = 0; update node_keys set sealed = 'other keys'`);
    expect(existsSync(join(dataFolder, SEEN_TURNS_FILE))).toBe(true);
    await afterRestart();
  });
});
