import { describe, expect, it } from 'vitest';
import { violations } from './check-imports.mjs';

const PATH = 'drizzle/postgres/0001_next.sql';
const BREAK = '\n--> statement-breakpoint\n';

const found = async (sql: string, path = PATH) => (await violations(new Map([[path, sql]]))).map(({ line, words }) => `${line} ${words}`);

/** What a replica of the version before does not notice. */
const ADDITIONS = [
  'CREATE TABLE "things" (\n\t"id" text PRIMARY KEY NOT NULL,\n\t"at" bigint NOT NULL\n);',
  'CREATE UNIQUE INDEX "things_at" ON "things" ("at");',
  'ALTER TABLE "things" ADD CONSTRAINT "things_at" CHECK ("at" > 0);',
  'ALTER TABLE "quotes" ADD COLUMN "note" text COLLATE "C";',
  'ALTER TABLE "quotes" ADD COLUMN "times" bigint DEFAULT 0 NOT NULL;',
  'CREATE INDEX "quotes_note" ON "quotes" ("note");',
  "UPDATE quotes SET note = 'drop, rename and set not null';",
];

describe('a migration of PostgreSQL', () => {
  it('may add', async () => {
    expect(await found(ADDITIONS.join(BREAK))).toEqual([]);
  });

  it.each([
    ['DROP TABLE "quotes";', 'drops something'],
    ['ALTER TABLE "quotes" DROP COLUMN "receiver";', 'drops something'],
    ['DROP INDEX "quotes_at";', 'drops something'],
    ['ALTER TABLE "quotes" RENAME COLUMN "receiver" TO "payee";', 'renames something'],
    ['ALTER TABLE "quotes" ALTER COLUMN "note" SET NOT NULL;', 'forbids null'],
    ['ALTER TABLE "quotes" ALTER COLUMN "note" SET DATA TYPE bigint;', 'changes a type'],
    ['ALTER TABLE "quotes" ALTER COLUMN "note" TYPE bigint USING "note"::bigint;', 'changes a type'],
    ['ALTER TABLE "quotes" ADD COLUMN "times" bigint NOT NULL;', 'must have a value'],
    ['ALTER TABLE "quotes" ADD CONSTRAINT "quotes_times" CHECK ("times" > 0);', 'promises something of rows in quotes'],
    ['CREATE UNIQUE INDEX "quotes_at" ON "quotes" ("at");', 'promises something of rows in quotes'],
    ['DELETE FROM quotes;', 'removes rows'],
  ])('is refused with %s', async (sql, words) => {
    const [first, ...others] = await found([...ADDITIONS.slice(0, 2), sql].join(BREAK));
    expect(first).toMatch(new RegExp(`^8 .*${words}`));
    expect(others).toEqual([]);
  });

  it('may take away what it says why for', async () => {
    const why = '-- takes away: 0.3.0 was the last version that read this column\n';
    expect(await found(`${why}ALTER TABLE "quotes" DROP COLUMN "receiver";`)).toEqual([]);
    expect(await found('-- takes away:\nALTER TABLE "quotes" DROP COLUMN "receiver";')).toHaveLength(1);
  });

  it('may do anything when it is the first, and SQLite has other rules', async () => {
    const sql = 'DROP TABLE "quotes";';
    expect([await found(sql, 'drizzle/postgres/0000_init.sql'), await found(sql, 'drizzle/0004_next.sql')]).toEqual([[], []]);
  });
});
