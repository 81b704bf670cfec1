import pg from 'pg';
import { FarLine } from '../../e2e/support/nodes/far-line.ts';
import { Statements } from '../../src-main/platform/database/postgres/statements.ts';
import { newDatabase } from '../../src-main/platform/database/testing/new-database.ts';
import { ownServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { type Goal, median, type Row, rate } from '../support/report.ts';
import { type Job, LaneTurns } from './lane-turns.ts';

const ROUNDS = 5;
/** How far the database is away, in milliseconds there and back. */
const AWAY_MS = Number(process.env.PAYDESK_BENCH_AWAY_MS ?? 5);
/**
 * How many jobs a turn takes: 64 in the product. On a machine that has other work to do, few jobs and a server that is
 * far away show what the way to it allows, because the processor then has little to do in a turn.
 */
const MOST = Number(process.env.PAYDESK_BENCH_IN_A_TURN ?? 64);
/** How many transfers are under way at a time. */
const WIDTH = 4 * MOST;
/** How long each way writes in a round, in milliseconds: some turns. */
const STRETCH_MS = Math.max(2_000, 40 * AWAY_MS);
const ACCOUNTS = 256;
const OPENING = 1_000_000n;
/** How many answers a transfer waits for, one after the other, as a payment of the product does about. */
const WAITS = 6;
const MOST_LANES = 4;

const WAYS = [
  { name: '1 lane', lanes: 1, most: MOST },
  { name: '1 lane, 4 times as many jobs in a turn', lanes: 1, most: 4 * MOST },
  { name: '2 lanes', lanes: 2, most: MOST },
  { name: '4 lanes', lanes: 4, most: MOST },
] as const;

/** Whom an account pays. Where anybody pays anybody, half of the transfers need two lanes, and 3 of 4 with four. */
const TRAFFIC = {
  'payer and payee in one lane': (from: number) => (from + MOST_LANES * (1 + below(ACCOUNTS / MOST_LANES - 1))) % ACCOUNTS,
  'anybody pays anybody': (from: number) => (from + 1 + below(ACCOUNTS - 1)) % ACCOUNTS,
} as const;
type Traffic = keyof typeof TRAFFIC;
const KINDS = Object.keys(TRAFFIC) as Traffic[];

const below = (most: number): number => Math.floor(Math.random() * most);

const SCHEMA = `
  create table lanes (id bigint primary key, term bigint not null default 0);
  create table accounts (id bigint primary key, balance bigint not null check (balance >= 0));
  create table transfers (lane bigint, number bigint, debit bigint not null, credit bigint not null, amount bigint not null,
    primary key (lane, number));
  create table events (lane bigint, position bigint, primary key (lane, position));
  create table day_sums (lane bigint primary key, sum bigint not null);
  insert into lanes select generate_series(0, ${MOST_LANES - 1});
  insert into day_sums select generate_series(0, ${MOST_LANES - 1}), 0;
  insert into accounts select generate_series(0, ${ACCOUNTS - 1}), ${OPENING};
`;
const next = (column: string, table: string): string => `(select coalesce(max(${column}), 0) + 1 from ${table} where lane = $1)`;
const DEBIT = 'update accounts set balance = balance - 1 where id = $1 and balance >= 1 returning balance';
const LOOK = 'select balance from accounts where id = $1';
const CREDIT = 'update accounts set balance = balance + 1 where id = $1';
const TRANSFER = `insert into transfers (lane, number, debit, credit, amount) values ($1, ${next('number', 'transfers')}, $2, $3, 1)`;
const EVENT = `insert into events (lane, position) values ($1, ${next('position', 'events')})`;
const DAY = 'update day_sums set sum = sum + 1 where lane = $1';

/** A transfer. It waits for what it decides by, and sends the rest. Its number and day belong to the payer's lane. */
const transfer =
  (lane: number, from: number, to: number): Job =>
  async (session) => {
    const [debited] = await session.ask(DEBIT, [from], 'debit');
    if (debited === undefined) throw new Error('an account of the bench has no money');
    for (let n = 1; n < WAITS; n += 1) await session.ask(LOOK, [to], 'look');
    await Promise.all([
      session.ask(CREDIT, [to], 'credit'),
      session.ask(TRANSFER, [lane, from, to], 'transfer'),
      session.ask(EVENT, [lane], 'event'),
      session.ask(DAY, [lane], 'day'),
    ]);
  };

/** One way to write, over a database of its own. */
class Lanes {
  readonly #turns: LaneTurns;
  readonly #books: pg.Client;
  readonly #lanes: number;

  private constructor(turns: LaneTurns, books: pg.Client, lanes: number) {
    this.#turns = turns;
    this.#books = books;
    this.#lanes = lanes;
  }

  static async open(server: string, way: (typeof WAYS)[number], line: FarLine): Promise<Lanes> {
    const url = new URL(await newDatabase(server, 'lanes'));
    const books = new pg.Client({ connectionString: url.href });
    await books.connect();
    await books.query(SCHEMA);
    const far = Object.assign(url, { port: new URL(line.origin).port }).href;
    const patient = { statementMs: 60_000, idleMs: 60_000, silenceMs: 60_000 };
    return new Lanes(new LaneTurns({ url: far, statements: new Statements(), readOnly: false, ...patient }, way), books, way.lanes);
  }

  /** Transfers for a while, so many at a time. @returns how many were stored a second, and in a turn. */
  async transfer(traffic: Traffic): Promise<{ perSecond: number; perTurn: number }> {
    const [began, turns] = [performance.now(), this.#turns.turns];
    let done = 0;
    const payer = async () => {
      while (performance.now() - began < STRETCH_MS) {
        const from = below(ACCOUNTS);
        const to = TRAFFIC[traffic](from);
        const [lane, other] = [from % this.#lanes, to % this.#lanes];
        await this.#turns.write([lane, other], transfer(lane, from, to));
        done += 1;
      }
    };
    await Promise.all(Array.from({ length: WIDTH }, payer));
    return { perSecond: (done * 1_000) / (performance.now() - began), perTurn: done / (this.#turns.turns - turns) };
  }

  /** @throws Error when money was made or lost, or when a lane has a gap in its numbers or events. */
  async check(): Promise<void> {
    const one = async (sql: string) => Object.values((await this.#books.query(sql)).rows[0] ?? {}).map(String);
    const [sum, least] = await one('select sum(balance), min(balance) from accounts');
    const [gaps] = await one(`select count(*) from (
      select lane from transfers group by lane having max(number) <> count(*)
      union all select lane from events group by lane having max(position) <> count(*)) as broken`);
    const [counted, summed] = await one('select (select count(*) from transfers), (select sum(sum) from day_sums)');
    if (sum !== String(OPENING * BigInt(ACCOUNTS)) || BigInt(least ?? -1) < 0n || gaps !== '0' || counted !== summed) {
      throw new Error(`the books of the lanes are wrong: ${[sum, least, gaps, counted, summed].join(', ')}`);
    }
  }

  async close(): Promise<void> {
    await this.#turns.end();
    await this.#books.end();
  }
}

type Measured = Map<Traffic, { perSecond: number[]; perTurn: number[] }>;

/** Lets the ways take turns, so that other work of the machine weighs on all of them. The first round only warms up. */
async function rounds(ways: readonly Lanes[]): Promise<Measured[]> {
  const measured = ways.map((): Measured => new Map(KINDS.map((kind) => [kind, { perSecond: [], perTurn: [] }])));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const kind of KINDS) {
      for (const [n, way] of ways.entries()) {
        const { perSecond, perTurn } = await way.transfer(kind);
        if (round === 0) continue;
        measured[n]?.get(kind)?.perSecond.push(perSecond);
        measured[n]?.get(kind)?.perTurn.push(perTurn);
      }
    }
  }
  return measured;
}

/** Measures by how much several write turns raise what a prototype of them writes. */
export async function measureLanes(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const server = await ownServer();
  if (server === undefined) return { rows: [{ 'transfers a second': 'no PostgreSQL server can run here' }], goals: [] };
  const line = await FarLine.start(AWAY_MS, Number(new URL(server.url).port));
  const ways: Lanes[] = [];
  try {
    for (const way of WAYS) ways.push(await Lanes.open(server.url, way, line));
    const measured = await rounds(ways);
    for (const way of ways) await way.check();
    const of = (way: number, kind: Traffic) => median(measured[way]?.get(kind)?.perSecond ?? []);
    const cell = (way: number, kind: Traffic): string => {
      const [perSecond, inTurn] = [of(way, kind), median(measured[way]?.get(kind)?.perTurn ?? [])];
      return `${rate(perSecond)} (${(perSecond / of(0, kind)).toFixed(2)} x, ${inTurn.toFixed(0)} in a turn)`;
    };
    const rows = WAYS.map(({ name }, n) => ({
      [`transfers a second, ${AWAY_MS} ms away, ${MOST} in a turn`]: name,
      ...Object.fromEntries(KINDS.map((kind) => [kind, cell(n, kind)])),
    }));
    return { rows, goals: [] };
  } finally {
    for (const way of ways) await way.close();
    await line.stop();
    await server.stop();
  }
}
