import { setTimeout as pause } from 'node:timers/promises';
import { Cluster, type Replica } from '../../e2e/support/nodes/cluster.ts';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { drive } from '../support/load.ts';
import { type Goal, ms, type Row } from '../support/report.ts';
import { idOf, Scene } from '../support/scene.ts';
import { originOf } from './replicas.ts';

/** How often a replica ends in each way. */
const DEATHS = 5;
/** A payment of the scene is a hundred packets then, and under way for a while. */
const FLAGS = ['--max-packet-amount', '1', '--client-rate', '0'];
const PAYMENTS = 8;
const LOAD = { width: PAYMENTS, seconds: 60 };
/** How long a client of the other replica asks after a death, and how often at most. It has one request at a time. */
const WATCHED = { width: 1, seconds: 9 };
const ASKED_AT_MOST = 10_000;
const LOOK_MS = 20;
const WAITS_AT_MOST_MS = 2_500;
const GOES_ON_WITHIN_MS = 6_000;

/** What it means to die: the process is gone, or it stands still and keeps everything that it had. */
const WAYS = { killed: 'SIGKILL', frozen: 'SIGSTOP' } as const;
type Way = keyof typeof WAYS;

/**
 * What the death of a replica costs those that live: how long a request at the other one waits at most, and how long it
 * takes until the payments of the dead one go on.
 */
export async function measureDeaths(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const server = await testServer();
  const none = (why: string) => ({ rows: [], goals: [{ name: "a replica's death", met: undefined, figure: why }] });
  if (server === undefined) return none('no PostgreSQL server can run here');
  const cluster = await Cluster.start(server.url, FLAGS);
  try {
    const lives = await cluster.add('lives');
    cluster.balancer.choose(lives.port);
    const scene = await Scene.set(lives.node);
    const rows: Row[] = [];
    const [waits, goesOn]: [number[], number[]] = [[], []];
    for (const way of Object.keys(WAYS) as Way[]) {
      for (let nth = 0; nth < DEATHS; nth += 1) {
        const found = await die(cluster, scene, { way, lives, dies: await cluster.add(`${way}-${nth}`) });
        waits.push(found.longestWait);
        goesOn.push(found.goesOn);
        rows.push({
          'a replica is': way,
          'the longest wait at the other': ms(found.longestWait),
          'its payments go on after': ms(found.goesOn),
        });
      }
    }
    const goal = (name: string, figures: number[], most: number): Goal => ({
      name: `${name} at most ${most} ms`,
      met: Math.max(...figures) <= most,
      figure: ms(Math.max(...figures)),
    });
    await scene.leave();
    const goals = [
      goal("a replica's death: others wait", waits, WAITS_AT_MOST_MS),
      goal("a replica's death: its payments go on after", goesOn, GOES_ON_WITHIN_MS),
    ];
    return { rows, goals };
  } finally {
    await cluster.stop();
    await server.stop();
  }
}

const UNDER_WAY = "select id, attempt from outgoing_payments where state not in ('completed', 'failed')";

async function die(cluster: Cluster, scene: Scene, { way, lives, dies }: { way: Way; lives: Replica; dies: Replica }) {
  const underWay = () => cluster.rows<{ id: string; attempt: string }>(UNDER_WAY);
  const urls: string[] = [];
  await drive(originOf(lives), scene.creations(PAYMENTS), LOAD, 201, (body) => urls.push(idOf(body)));
  const others = scene.creations(ASKED_AT_MOST);
  await drive(originOf(dies), scene.payments(urls), LOAD, 201);
  process.kill(dies.node.pid, WAYS[way]);
  const diedAt = performance.now();
  const left = new Map((await underWay()).map(({ id, attempt }) => [id, attempt]));
  const untilTheyGoOn = async () => {
    while ((await underWay()).some(({ id, attempt }) => left.get(id) === attempt)) await pause(LOOK_MS);
    return performance.now() - diedAt;
  };
  const [goesOn, { latencies }] = await Promise.all([untilTheyGoOn(), drive(originOf(lives), others, WATCHED, 201)]);
  await dies.node.kill();
  while ((await underWay()).length > 0) await pause(LOOK_MS);
  if (left.size === 0) throw new Error('the replica died without a payment under way');
  return { longestWait: latencies.at(-1) ?? Number.NaN, goesOn };
}
