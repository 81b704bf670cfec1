import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { testServer } from '../../../src-main/platform/database/testing/postgres-server.ts';
import { Cluster, type Replica } from './cluster.ts';
import { RunningNode } from './running-node.ts';
import { furnish, introduce, type Pair } from './two-nodes.ts';

/** Two replicas over one PostgreSQL, and a node with SQLite, each the other's peer in two currencies. */
export class ClusterAndNode {
  readonly cluster: Cluster;
  readonly alone: RunningNode;
  /** The replicas. A test puts another one into the place of one that it has killed. */
  readonly replicas: Replica[];
  /** The node is side a, and the cluster is side b, whose operator speaks to its first replica. */
  readonly pair: Pair;
  readonly #folder: string;
  readonly #stopServer: () => Promise<void>;

  private constructor(parts: {
    cluster: Cluster;
    alone: RunningNode;
    replicas: Replica[];
    pair: Pair;
    folder: string;
    stopServer: () => Promise<void>;
  }) {
    this.cluster = parts.cluster;
    this.alone = parts.alone;
    this.replicas = parts.replicas;
    this.pair = parts.pair;
    this.#folder = parts.folder;
    this.#stopServer = parts.stopServer;
  }

  /**
   * @param mostInAPacket the most that a packet between them carries, in cents.
   * @param ofReplicas more flags of each replica.
   */
  static async start(mostInAPacket: number, ofReplicas: readonly string[] = []): Promise<ClusterAndNode> {
    const server = await testServer();
    if (server === undefined) throw new Error('there is no PostgreSQL');
    const folder = mkdtempSync(join(tmpdir(), 'paydesk-pair-'));
    const packets = ['--max-packet-amount', String(mostInAPacket)];
    const flags = ['--token-lifetime', '86400', '--log-level', 'error', ...packets];
    const cluster = await Cluster.start(server.url, [...packets, ...ofReplicas]);
    const [alone, first] = await Promise.all([RunningNode.start({ dataDir: join(folder, 'a'), flags }), cluster.add('r0')]);
    cluster.balancer.choose(first.port);
    const reached = { a: alone, b: { publicUrl: cluster.balancer.origin, operator: first.node.operator } };
    const accounts = { a: await furnish(reached.a), b: await furnish(reached.b) };
    await introduce(reached, { maxPacketAmount: BigInt(mostInAPacket) });
    const replicas = [first, await cluster.add('r1')];
    const both = new ClusterAndNode({ cluster, alone, replicas, pair: { ...reached, accounts }, folder, stopServer: () => server.stop() });
    both.share();
    return both;
  }

  /** The balancer sends clients and the peer to every replica that runs. */
  share(): void {
    this.cluster.balancer.choose(...this.replicas.filter(({ node }) => node.isRunning).map(({ port }) => port));
  }

  async stop(): Promise<void> {
    await this.alone.stop();
    await this.cluster.stop();
    await this.#stopServer();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
