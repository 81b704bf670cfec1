import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { newDatabase } from '../../../src-main/platform/database/testing/new-database.ts';
import { Balancer } from './balancer.ts';
import { FarLine } from './far-line.ts';
import { quietPort } from './quiet-port.ts';
import { type NodeBuild, RunningNode } from './running-node.ts';

const FLAGS = ['--token-lifetime', '86400', '--log-level', 'warn'];
/** One packet carries at most so many cents. A payment of some dollars is under way for a while then. */
const SMALL_PACKETS = ['--max-packet-amount', '100'] as const;

/** The environment of a replica whose computer has a clock that is ahead, in milliseconds; below zero, behind. */
export const clockAhead = (ms: number): Record<string, string> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${ms};`)}`,
});

export interface Replica {
  readonly node: RunningNode;
  /** The port on which the replica itself listens. */
  readonly port: number;
  /** Its way to the database. */
  readonly line: FarLine;
}

interface OneReplica {
  readonly dataDir?: string;
  readonly build?: NodeBuild;
  readonly flags?: readonly string[];
}

/** Replicas of one node over a database of their own, behind a balancer whose URL is that of the node. */
export class Cluster {
  readonly balancer: Balancer;
  database: pg.Client;
  #url: string;
  readonly #key = randomBytes(32).toString('base64url');
  readonly #replicas: Replica[] = [];
  readonly #flags: readonly string[];

  private constructor(balancer: Balancer, database: pg.Client, { url, flags }: { url: string; flags: readonly string[] }) {
    this.balancer = balancer;
    this.database = database;
    this.#url = url;
    this.#flags = [...FLAGS, ...flags, '--public-url', balancer.origin];
  }

  /**
   * @param server the URL of a server whose user may make databases.
   * @param flags of each replica. Without any, a packet carries little, so that payments take a while.
   */
  static async start(server: string, flags: readonly string[] = SMALL_PACKETS): Promise<Cluster> {
    const url = await newDatabase(server, 'cluster');
    const database = await connected(url);
    return new Cluster(await Balancer.start(), database, { url, flags });
  }

  /**
   * Starts a replica with an empty data folder.
   * @param env arms a fail point, such as `PAYDESK_FAIL_POINT=before-commit:20`.
   * @param as starts it with a data folder that the test removes, as another build of the node, or with more flags.
   */
  async add(name: string, env: Record<string, string> = {}, { flags = [], ...as }: OneReplica = {}): Promise<Replica> {
    const port = await quietPort();
    const url = new URL(this.#url);
    const line = await FarLine.start(0, Number(url.port));
    const lineUrl = Object.assign(url, { port: new URL(line.origin).port }).href;
    const node = await RunningNode.start({
      ...as,
      flags: [...this.#flags, '--listen', `127.0.0.1:${port}`, '--replica-name', name, ...flags],
      env: { PAYDESK_DATABASE: lineUrl, PAYDESK_KEY: this.#key, ...env },
    });
    const replica = { node, port, line };
    this.#replicas.push(replica);
    return replica;
  }

  /** The variable with which a command opens what is sealed in the database. */
  get key(): { PAYDESK_KEY: string } {
    return { PAYDESK_KEY: this.#key };
  }
  get url(): string {
    return this.#url;
  }

  /** Starts a node with a data folder of its own at the URL of the cluster, and sends all connections there. */
  async startAlone(dataDir: string): Promise<RunningNode> {
    const port = await quietPort();
    const node = await RunningNode.start({
      dataDir,
      flags: [...this.#flags, '--listen', `127.0.0.1:${port}`],
    });
    this.balancer.choose(port);
    return node;
  }

  /**
   * Connects the test to the database again, after its server has crashed.
   * @param port of another server, which has taken its place.
   */
  async reconnect(port?: number): Promise<void> {
    if (port !== undefined) this.#url = Object.assign(new URL(this.#url), { port: String(port) }).href;
    this.database = await connected(this.#url);
  }

  /** What is stored. @returns the rows, with texts for large integers. */
  async rows<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> {
    return (await this.database.query<Row>(sql)).rows;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#replicas.map(({ node }) => node.stop()));
    await Promise.all(this.#replicas.map(({ line }) => line.stop()));
    await this.database.end();
    await this.balancer.stop();
  }
}

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  // A crash of the server ends the connection.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
