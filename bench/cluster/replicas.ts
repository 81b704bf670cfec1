import { availableParallelism } from 'node:os';
import { Cluster, type Replica } from '../../e2e/support/nodes/cluster.ts';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { CpuQuota } from '../support/cpu-quota.ts';
import { drive, type RequestBytes } from '../support/load.ts';
import { type Goal, median, type Row, rate } from '../support/report.ts';
import { idOf, Scene } from '../support/scene.ts';

const FLAGS = ['--client-rate', '0'];
const ROUNDS = 5;
const WIDTH = 32;
const READINGS = 500;
/** With this many cores each replica, the server and the load have cores of their own. */
const ENOUGH_CORES = 6;
/** What each replica gets of a core on a smaller machine. The server and the load have the rest to themselves. */
const SHARE = 0.3;
const GOALS = { GET: 1.8, POST: 1.3 } as const;
type Kind = keyof typeof GOALS;

/**
 * How much more two replicas answer than one. Both run all the time. The requests go to one of them, and then to both.
 * On a machine with few cores each replica has a quota of processor time, as if it had a small computer of its own.
 */
export async function measureReplicas(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const server = await testServer();
  if (server === undefined) return skipped('no PostgreSQL server can run here');
  const cluster = await Cluster.start(server.url, FLAGS);
  const quotas: CpuQuota[] = [];
  try {
    const replicas = [await cluster.add('one'), await cluster.add('two')];
    cluster.balancer.choose(...replicas.map(({ port }) => port));
    const scene = await Scene.set((replicas[0] as Replica).node);
    const urls: string[] = [];
    await drive(originOf(replicas[0]), scene.creations(READINGS), { width: WIDTH, seconds: 60 }, 201, (body) => urls.push(idOf(body)));
    if (availableParallelism() < ENOUGH_CORES) {
      for (const [n, { node }] of replicas.entries()) {
        const quota = CpuQuota.of(`replica-${n}`, SHARE, [node.pid]);
        if (quota === undefined) return skipped('this machine has too few cores, and no control groups of processor time');
        quotas.push(quota);
      }
    }
    const [count, width] = quotas.length === 0 ? [6_000, WIDTH] : [1_200, WIDTH / 2];
    const work: Record<Kind, () => RequestBytes[]> = {
      GET: () => Array.from({ length: Math.ceil(count / READINGS) }, () => scene.readings(urls)).flat(),
      POST: () => scene.creations(count),
    };
    const measured = await inTurns(replicas, work, width);
    await scene.leave();
    return report(measured, quotas.length > 0);
  } finally {
    await cluster.stop();
    for (const quota of quotas) quota.end();
    await server.stop();
  }
}

/** The address of the replica itself, past the balancer. */
export const originOf = (replica: Replica | undefined): string => `http://127.0.0.1:${replica?.port ?? 0}`;

type Measured = Record<Kind, { one: number[]; two: number[] }>;

/** One replica and two take turns. The first round only warms up. */
async function inTurns(replicas: readonly Replica[], work: Record<Kind, () => RequestBytes[]>, width: number): Promise<Measured> {
  const kinds = Object.keys(GOALS) as Kind[];
  const measured: Measured = { GET: { one: [], two: [] }, POST: { one: [], two: [] } };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const kind of kinds) {
      const status = kind === 'GET' ? 200 : 201;
      const one = await together(replicas.slice(0, 1), work[kind](), { width, status });
      const two = await together(replicas, work[kind](), { width, status });
      if (round === 0) continue;
      measured[kind].one.push(one);
      measured[kind].two.push(two);
    }
  }
  return measured;
}

/** Sends each replica an equal part of the requests at the same time. @returns how many they answered a second. */
async function together(replicas: readonly Replica[], requests: RequestBytes[], { width, status }: { width: number; status: number }) {
  const began = performance.now();
  const parts = replicas.map((_, n) => requests.filter((_, index) => index % replicas.length === n));
  await Promise.all(replicas.map((replica, n) => drive(originOf(replica), parts[n] ?? [], { width, seconds: 60 }, status)));
  return (requests.length / (performance.now() - began)) * 1_000;
}

function report(measured: Measured, isSimulated: boolean): { rows: Row[]; goals: Goal[] } {
  const where = isSimulated ? `, each with ${SHARE} of a core` : '';
  const rows: Row[] = [];
  const goals: Goal[] = [];
  for (const [kind, least] of Object.entries(GOALS) as [Kind, number][]) {
    const { one, two } = measured[kind];
    const times = median(two.map((value, n) => value / (one[n] ?? Number.NaN)));
    rows.push({ 'a second': `${kind}${where}`, 'one replica': rate(median(one)), 'two replicas': rate(median(two)) });
    goals.push({
      name: `two replicas: ${kind} at least ${least} times that of one${where}`,
      met: times >= least,
      figure: times.toFixed(2),
    });
  }
  return { rows, goals };
}

/** A goal that this machine cannot show is named, and not left out. */
function skipped(why: string): { rows: Row[]; goals: Goal[] } {
  const goals = Object.entries(GOALS).map(([kind, least]) => ({
    name: `two replicas: ${kind} at least ${least} times that of one`,
    met: undefined,
    figure: why,
  }));
  return { rows: [], goals };
}
