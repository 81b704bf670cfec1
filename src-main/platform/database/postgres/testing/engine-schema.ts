/**
 * The tables that this engine needs beside those of the node. The one that migrates the database runs it; it may run
 * again.
 * - `turns` has one row. Whoever writes updates it first, and so holds its lock until the end: a turn. The term counts
 *   the turns that were committed.
 * - `turn_writers` has a row for each process that writes, with the number of its commits and the time of the last one,
 *   in milliseconds since the Unix epoch.
 *
 * Both rows change with each commit. The fill factors leave room on their pages, so that no index grows by that.
 */
export const ENGINE_SCHEMA = `
  create table if not exists turns (id bigint primary key check (id = 1), term bigint not null) with (fillfactor = 10);
  create table if not exists turn_writers (writer text collate "C" primary key, batch bigint not null, at bigint not null)
    with (fillfactor = 50);
  insert into turns (id, term) values (1, 0) on conflict do nothing;
`;
