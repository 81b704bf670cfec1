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

/**
 * The same node and the same work on SQLite, on PostgreSQL on the same cores, and with the database 1 ms away. The
 * engines take turns, so that other work of the machine weighs on all of them. The first round only warms up.
 */
export async function measureEngines(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const server = await testServer();
  if (server === undefined) return { rows: [{ 'a second': 'no PostgreSQL server can run here' }], goals: [] };
  const engines = [await Engine.onSqlite(), await Engine.onPostgres(server.url), await Engine.onPostgres(server.url, AWAY_MS)];
  try {
    const measured = engines.map(() => new Map<Work, number[]>(KINDS.map((kind) => [kind, []])));
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const kind of KINDS) {
        for (const [n, engine] of engines.entries()) {
          const perSecond = await WORK[kind](engine);
          if (round > 0) measured[n]?.get(kind)?.push(perSecond);
        }
      }
    }
    const of = (engine: number, kind: Work): number => median(measured[engine]?.get(kind) ?? []);
    const rows = KINDS.map((kind) => ({
      'a second': kind,
      ...Object.fromEntries(engines.map(({ name }, n) => [name, rate(of(n, kind))])),
      'of SQLite': percent(of(1, kind) / of(0, kind)),
      'away, of near': percent(of(2, kind) / of(1, kind)),
    }));
    return { rows, goals: goalsOf(of) };
  } finally {
    for (const engine of engines) await engine.close();
    await server.stop();
  }
}

function goalsOf(of: (engine: number, kind: Work) => number): Goal[] {
  const share = (name: string, value: number, least: number): Goal => ({
    name: `${name} at least ${percent(least)}`,
    met: value >= least,
    figure: percent(value),
  });
  const [uniform, hot, refused] = ['payments, each at its own shop', 'payments, all at one shop', 'payments, 5 % refused'] as const;
  const near: Goal[] = [
    share('PostgreSQL: GET of SQLite', of(1, 'signed GET') / of(0, 'signed GET'), 0.7),
    share('PostgreSQL: POST of SQLite', of(1, 'POST /incoming-payments') / of(0, 'POST /incoming-payments'), 0.45),
    share('PostgreSQL: payments of SQLite', of(1, uniform) / of(0, uniform), 0.45),
  ];
  const away = KINDS.slice(0, 3).map((kind) => share(`1 ms away: ${kind}, of near`, of(2, kind) / of(1, kind), 0.5));
  const contended = [1, 2].flatMap((engine) => [
    share(`${engine === 1 ? 'near' : '1 ms away'}: one shop, of uniform`, of(engine, hot) / of(engine, uniform), 0.9),
    share(`${engine === 1 ? 'near' : '1 ms away'}: with 5 % refused, of none`, of(engine, refused) / of(engine, uniform), 1 / 2.5),
  ]);
  return [...near, ...away, ...contended];
}
