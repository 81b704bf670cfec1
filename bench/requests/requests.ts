import type { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { commits, Endings } from '../support/books.ts';
import { drive, inLanes, type Measured, type RequestBytes } from '../support/load.ts';
import { cpuMs, Floor } from '../support/processes.ts';
import { median, quantile } from '../support/report.ts';
import { idOf, type Scene } from '../support/scene.ts';

/** The figures of one kind of work, as the medians of its rounds. */
export interface Figures {
  perSecond: number;
  /** The share of the floor in the same round. */
  share?: number;
  p50: number;
  p99: number;
  /**
   * Processor time of the serving process for one of them, in microseconds; undefined where the system does not tell.
   */
  cpu: number | undefined;
  /** How many transactions, and so fsyncs, one of them takes. */
  commits?: number;
}

const CONNECTIONS = 32;
const ROUNDS = 3;
const ROUND_SECONDS = 5;
const WARM_UP_SECONDS = 5;
const FLOOR_REQUESTS = 15_000;
const CREATIONS = 7_500;
const READINGS = 10_000;

interface Served {
  pid: number;
  dataDir?: string;
}

/** Runs `work` and measures what it cost the process that served it. */
async function costing({ pid, dataDir }: Served, work: () => Promise<Measured>): Promise<Figures> {
  const before = { cpu: cpuMs(pid), commits: dataDir === undefined ? 0 : commits(dataDir) };
  const { done, perSecond, latencies } = await work();
  const after = cpuMs(pid);
  return {
    perSecond,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    cpu: before.cpu === undefined || after === undefined ? undefined : ((after - before.cpu) * 1_000) / done,
    ...(dataDir !== undefined && { commits: (commits(dataDir) - before.commits) / done }),
  };
}

function medians(rounds: readonly Figures[]): Figures {
  const of = (pick: (figures: Figures) => number | undefined): number => median(rounds.flatMap((figures) => pick(figures) ?? []));
  const optional = (pick: (figures: Figures) => number | undefined): number | undefined =>
    rounds.some((figures) => pick(figures) !== undefined) ? of(pick) : undefined;
  const [share, perOne] = [optional((figures) => figures.share), optional((figures) => figures.commits)];
  return {
    perSecond: of((figures) => figures.perSecond),
    p50: of((figures) => figures.p50),
    p99: of((figures) => figures.p99),
    cpu: optional((figures) => figures.cpu),
    ...(share !== undefined && { share }),
    ...(perOne !== undefined && { commits: perOne }),
  };
}

/**
 * The floor, signed `POST /incoming-payments` and signed `GET` by id, at 32 connections. They take turns, so that what
 * else the machine does weighs on all three, and a share compares what was measured within seconds.
 */
export async function measureRequests(node: RunningNode, scene: Scene): Promise<{ floor: Figures; post: Figures; get: Figures }> {
  const limits = { width: CONNECTIONS, seconds: ROUND_SECONDS };
  const warmUp = { width: CONNECTIONS, seconds: WARM_UP_SECONDS };
  const urls: string[] = [];
  await drive(node.publicUrl, scene.creations(CREATIONS), warmUp, 201, (body) => urls.push(idOf(body)));
  const readings = scene.readings(urls.slice(0, READINGS));
  const times = (count: number): RequestBytes[] =>
    Array.from({ length: count }, (_, n) => readings[n % readings.length] ?? Buffer.alloc(0));
  await drive(node.publicUrl, times(READINGS), warmUp, 200);
  const floor = await Floor.start(scene.publicKey);
  try {
    await drive(floor.origin, times(READINGS), warmUp, 200);
    const rounds: { floor: Figures; post: Figures; get: Figures }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const creations = scene.creations(CREATIONS);
      const lowest = await costing(floor, () => drive(floor.origin, times(FLOOR_REQUESTS), limits, 200));
      const post = await costing(node, () => drive(node.publicUrl, creations, limits, 201));
      const get = await costing(node, () => drive(node.publicUrl, times(READINGS), limits, 200));
      const shareOf = (figures: Figures): Figures => ({ ...figures, share: figures.perSecond / lowest.perSecond });
      rounds.push({ floor: lowest, post: shareOf(post), get: shareOf(get) });
    }
    return {
      floor: medians(rounds.map((round) => round.floor)),
      post: medians(rounds.map((round) => round.post)),
      get: medians(rounds.map((round) => round.get)),
    };
  } finally {
    await floor.stop();
  }
}

const PAYMENTS_AT_ONCE = 2_000;
const PAYMENTS_ALONE = 250;
const WARM_UP_PAYMENTS = 400;

/**
 * Local payments, each to an incoming payment of its own, from sending `POST /outgoing-payments` until the end is in
 * the books.
 */
export async function measurePayments(node: RunningNode, scene: Scene): Promise<{ alone: Figures; together: Figures }> {
  const endings = new Endings(node.dataDir);
  const run = async (count: number, width: number): Promise<Figures> => {
    const limits = { width, seconds: 2 * ROUND_SECONDS };
    const urls: string[] = [];
    await drive(node.publicUrl, scene.creations(count), { width: CONNECTIONS, seconds: 60 }, 201, (body) => urls.push(idOf(body)));
    const requests = scene.payments(urls);
    return await costing(node, () =>
      inLanes(node.publicUrl, requests, limits, async (connection, request) => {
        const { status, body } = await connection.send(request);
        if (status !== 201) throw new Error(`a payment was refused: ${status} ${body.toString()}`);
        const url = idOf(body);
        await endings.of(url.slice(url.lastIndexOf('/') + 1));
      }),
    );
  };
  try {
    await run(WARM_UP_PAYMENTS, CONNECTIONS);
    const rounds: { alone: Figures; together: Figures }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push({ alone: await run(PAYMENTS_ALONE, 1), together: await run(PAYMENTS_AT_ONCE, CONNECTIONS) });
    }
    return { alone: medians(rounds.map((round) => round.alone)), together: medians(rounds.map((round) => round.together)) };
  } finally {
    endings.close();
  }
}
