import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { type Goal, median, percent, type Row, rate } from '../support/report.ts';
import { Engine } from './engine.ts';

const ROUNDS = 5;
const [READS, CREATIONS, PAYMENTS] = [4_000, 2_000, 800];
/** The share of payments that their buyer cannot afford. */
const REFUSED = 0.05;
const AWAY_MS = 1;

const WORK = {
  'signed GET': (engine: Engine) => engine.reads(READS),
  'POST /incoming-payments': (engine: Engine) => engine.creations(CREATIONS),
  'payments, each at its own shop': (engine: Engine) => engine.payments(PAYMENTS, 'uniform'),
  'payments, all at one shop': (engine: Engine) => engine.payments(PAYMENTS, 'hot'),
  'payments, 5 % refused': (engine: Engine) => engine.payments(PAYMENTS, 'uniform', REFUSED),
} as const;
type Work = keyof typeof WORK;
const KINDS = Object.keys(WORK) as Work[];
/** One kind of work on one of the engines. */
type Place = readonly [engine: number, kind: Work];

/**
 * The same node and the same work on SQLite, on PostgreSQL on the same cores, and with the database 1 ms away. The
 * engines take turns, and another one begins in each round, so that other work of the machine weighs on all of them. A
 * share is the middle of those of the rounds. The first round only warms up.
 */
export async function measureEngines(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const server = await testServer();
  if (server === undefined) return { rows: [{ 'a second': 'no PostgreSQL server can run here' }], goals: [] };
  const engines = [await Engine.onSqlite(), await Engine.onPostgres(server.url), await Engine.onPostgres(server.url, AWAY_MS)];
  try {
    const measured = engines.map(() => new Map<Work, number[]>(KINDS.map((kind) => [kind, []])));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const kind of KINDS) {
        for (const n of engines.keys()) {
          const next = (n + round) % engines.length;
          const perSecond = await WORK[kind](engines[next] as Engine);
          if (round > 0) measured[next]?.get(kind)?.push(perSecond);
        }
      }
    }
    const rounds = ([engine, kind]: Place): number[] => measured[engine]?.get(kind) ?? [];
    const share = (one: Place, other: Place): number =>
      median(rounds(one).map((perSecond, round) => perSecond / (rounds(other)[round] ?? Number.NaN)));
    const rows = KINDS.map((kind) => ({
      'a second': kind,
      ...Object.fromEntries(engines.map(({ name }, n) => [name, rate(median(rounds([n, kind])))])),
      'of SQLite': percent(share([1, kind], [0, kind])),
      'away, of near': percent(share([2, kind], [1, kind])),
    }));
    return { rows, goals: goalsOf(share) };
  } finally {
    for (const engine of engines) await engine.close();
    await server.stop();
  }
}

function goalsOf(share: (one: Place, other: Place) => number): Goal[] {
  const goal = (name: string, one: Place, other: Place, least: number): Goal => {
    const value = share(one, other);
    return { name: `${name} at least ${percent(least)}`, met: value >= least, figure: percent(value) };
  };
  const [uniform, hot, refused] = ['payments, each at its own shop', 'payments, all at one shop', 'payments, 5 % refused'] as const;
  const ofSqlite = (name: string, kind: Work, least: number) => goal(`PostgreSQL: ${name} of SQLite`, [1, kind], [0, kind], least);
  const near = [ofSqlite('GET', 'signed GET', 0.7), ofSqlite('POST', 'POST /incoming-payments', 0.45), ofSqlite('payments', uniform, 0.45)];
  const away = KINDS.slice(0, 3).map((kind) => goal(`1 ms away: ${kind}, of near`, [2, kind], [1, kind], 0.5));
  const contended = [1, 2].flatMap((engine) => {
    const where = engine === 1 ? 'near' : '1 ms away';
    return [
      goal(`${where}: one shop, of uniform`, [engine, hot], [engine, uniform], 0.9),
      goal(`${where}: with 5 % refused, of none`, [engine, refused], [engine, uniform], 1 / 2.5),
    ];
  });
  return [...near, ...away, ...contended];
}
