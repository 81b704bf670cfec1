import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { copyRows } from './copy-rows.ts';
import { SqliteRows, shapesIn } from './sqlite-rows.ts';

const SCHEMA = `
  create table parts (id text primary key, whole text not null references wholes(id), amount integer);
  create table wholes (id text primary key);
`;

function databases(): { source: Sqlite.Database; target: Sqlite.Database } {
  const [source, target] = [new Sqlite(':memory:'), new Sqlite(':memory:')];
  for (const one of [source, target]) one.exec(SCHEMA);
  target.pragma('foreign_keys = ON');
  source.exec("insert into wholes values ('w'); insert into parts values ('b', 'w', 9223372036854775807), ('a', 'w', null)");
  return { source, target };
}

const copied = ({ source, target }: ReturnType<typeof databases>) =>
  copyRows(new SqliteRows(source), new SqliteRows(target), shapesIn(source, new Set()), () => undefined);

it('rows are copied after those to which they refer, with every digit of their integers', async () => {
  const both = databases();
  expect(await copied(both)).toEqual({ rows: 3, tables: 2 });
  expect(both.target.prepare('select * from parts order by id').safeIntegers().all()).toEqual([
    { id: 'a', whole: 'w', amount: null },
    { id: 'b', whole: 'w', amount: 9_223_372_036_854_775_807n },
  ]);
});

it.each([
  ['changed', "create trigger t after insert on parts begin update parts set amount = 1 where id = 'a'; end"],
  ['lost', "create trigger t after insert on parts begin delete from parts where id = 'a'; end"],
])('a row that was %s on the way is noticed', async (_, trigger) => {
  const both = databases();
  both.target.exec(trigger);
  await expect(copied(both)).rejects.toThrow('the rows of parts did not arrive as they were');
});
