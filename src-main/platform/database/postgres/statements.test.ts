import { sql } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { contains, membersOf, rowName, withoutIndex } from '../dialect.ts';
import { builder } from '../query-builder/builder.ts';
import { inPostgres, Statements } from './statements.ts';
import { counters, notes } from './testing/driver-test.ts';

const dialect = new SQLiteAsyncDialect();
const queries = builder(async () => ({ rows: [] }));
/** What PostgreSQL gets for a piece of SQL. */
function translated(piece: Parameters<SQLiteAsyncDialect['sqlToQuery']>[0]): string {
  const { sql: text, params } = dialect.sqlToQuery(piece);
  return inPostgres(text, params);
}

describe('a statement', () => {
  it('gets numbers for its values, and a cast for integers', () => {
    expect(translated(sql`select ${1n} - ${2n}, ${'text'}, ${null}`)).toBe('select $1::int8 - $2::int8, $3, $4');
  });

  it('keeps literals and names as they are', () => {
    const text = `select 'is it rowid? it''s instr(', "odd ? ""rowid"" name" from t where a = ?`;
    expect(inPostgres(text, [1n])).toBe(text.replace(/\?$/, '$1::int8'));
  });

  it('names no table in the target of a conflict', () => {
    const upsert = queries
      .insert(counters)
      .values({ id: 'a', value: 1n })
      .onConflictDoUpdate({
        target: [counters.id, counters.value],
        set: { value: sql`${counters.value} + ${1n}` },
        setWhere: sql`${counters.value} < ${9n}`,
      })
      .toSQL();
    expect(inPostgres('on conflict ("the t"."a","the t"."b") do nothing', [])).toBe('on conflict ("a","b") do nothing');
    expect(inPostgres(upsert.sql, upsert.params)).toBe(
      'insert into "counters" ("id", "value") values ($1, $2::int8) on conflict ("id", "value") ' +
        'do update set "value" = "counters"."value" + $3::int8 where "counters"."value" < $4::int8',
    );
  });

  it('casts to integers of 64 bits', () => {
    expect(translated(sql`select cast(${5n} as integer), cast(x as INTEGER), cast(y as text)`)).toBe(
      'select cast($1::int8 as bigint), cast(x as bigint), cast(y as text)',
    );
  });

  it('lowers a value as columns are lowered', () => {
    expect(translated(sql`lower(${notes.body}) = lower(${'ÄA'})`)).toBe('lower("notes"."body") = lower($1 collate "C")');
  });

  it('says what only one engine says in the words of the other', () => {
    expect(translated(contains(notes.body, 'x'))).toBe('strpos("notes"."body", $1) > 0');
    expect(translated(sql`select key from ${membersOf({ a: 'b' })}`)).toBe('select key from json_each_text($1)');
    expect(translated(sql`select ${rowName} from t`)).toBe('select ctid from t');
    expect(translated(sql`where ${withoutIndex(notes.body)} = ${'x'} and 1 = +1`)).toBe('where "notes"."body" = $1 and 1 = +1');
  });
});

describe('the name of a statement', () => {
  it('comes with its second use, and is another one for another text', () => {
    const statements = new Statements();
    expect(statements.of('select ?', ['a']).name).toBeUndefined();
    const { name } = statements.of('select ?', ['b']);
    expect(name).toBeDefined();
    expect(statements.of('select ?', ['c']).name).toBe(name);
    expect(statements.of('select ?', [1n])).toEqual({ text: 'select $1::int8', name: undefined });
    expect(statements.of('select ?', [1n]).name).not.toBe(name);
  });

  it('is never used again for another text, however many statements come', () => {
    const statements = new Statements();
    const names = new Set<string | undefined>();
    for (let n = 0; n < 3_000; n++) {
      statements.of(`select ${n}`, []);
      names.add(statements.of(`select ${n}`, []).name);
    }
    expect(names.size).toBe(3_000);
  });
});
