import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClusterAndNode } from './cluster-and-node.ts';
import { RunningNode } from './running-node.ts';
import type { TwoNodes } from './two-nodes.ts';

/** The number of times that something is tried before a test gives up. */
const MOST_TRIES = 100;

/** The place where a node lives that dies. */
interface Place {
  readonly node: () => RunningNode;
  /** Starts it again on its data. @param env variables of its environment. */
  readonly start: (env: Readonly<Record<string, string>>) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** A node that dies at fail points, and is started again on the same data. */
export class DyingNode {
  /** How often it died while something was done. */
  deaths = 0;
  readonly #place: Place;

  private constructor(place: Place) {
    this.#place = place;
  }

  /** @param name a word for its folder. */
  static async start(name: string, flags: readonly string[] = []): Promise<DyingNode> {
    const dataDir = mkdtempSync(join(tmpdir(), `paydesk-${name}-`));
    const startIn = (env = {}) => RunningNode.start({ dataDir, flags: ['--log-level', 'error', ...flags], env });
    let node = await startIn();
    return new DyingNode({
      node: () => node,
      start: async (env) => {
        node = await startIn(env);
      },
      stop: async () => {
        await node.stop();
        rmSync(dataDir, { recursive: true, force: true });
      },
    });
  }

  /** The first of two nodes that pay each other. */
  static firstOf(nodes: TwoNodes): DyingNode {
    return new DyingNode({ node: () => nodes.a, start: (env) => nodes.restart('a', env), stop: () => nodes.stop() });
  }

  /**
   * The first replica of a cluster. The other one lives on, and another one takes the place of the dead.
   * @param flags of each that takes its place.
   */
  static firstReplicaOf(both: Pick<ClusterAndNode, 'cluster' | 'replicas' | 'stop'>, flags: readonly string[] = []): DyingNode {
    const { cluster, replicas } = both;
    const [first, ...others] = replicas;
    if (first === undefined) throw new Error('the cluster has no replica');
    let replica = first;
    let started = replicas.length;
    return new DyingNode({
      node: () => replica.node,
      start: async (env) => {
        cluster.balancer.choose(...others.map(({ port }) => port));
        replica = await cluster.add(`r${started++}`, env, { flags });
        cluster.balancer.choose(...[...others, replica].map(({ port }) => port));
      },
      stop: () => both.stop(),
    });
  }

  get node(): RunningNode {
    return this.#place.node();
  }

  /** Kills it and starts it with a fail point (src-main/platform/fail-points.ts). */
  async restart(failPoint?: string): Promise<void> {
    await this.node.kill();
    const env: Record<string, string> = failPoint === undefined ? {} : { PAYDESK_FAIL_POINT: failPoint };
    // The node can die while it starts. Then it starts without the fail point.
    await this.#place.start(env).catch(() => this.#place.start({}));
  }

  /** Does something again and again until it succeeds, although the node may die meanwhile. */
  async untilDone<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (tries === MOST_TRIES) throw error;
        await pause(100);
        if (this.node.isRunning) continue;
        this.deaths += 1;
        await this.restart();
      }
    }
  }

  /** Stops it and the nodes beside it, and removes their folders. */
  async stop(): Promise<void> {
    await this.#place.stop();
  }
}
