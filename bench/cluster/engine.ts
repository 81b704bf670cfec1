import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { FarLine } from '../../e2e/support/nodes/far-line.ts';
import { RunningNode } from '../../e2e/support/nodes/running-node.ts';
import { newDatabase } from '../../src-main/platform/database/testing/new-database.ts';
import { drive, inLanes, type RequestBytes } from '../support/load.ts';
import { idOf, Scene } from '../support/scene.ts';

const FLAGS = ['--token-lifetime', '86400', '--client-rate', '0', '--log-level', 'warn'];
const UNFINISHED = "select count(*) from outgoing_payments where state not in ('completed', 'failed')";
/** How often the bench asks whether all payments have ended, in milliseconds. */
const LOOK_MS = 5;
const WIDTH = 32;
/** How many shops and buyers the uniform traffic has. */
const PAIRS = 8;
const READINGS = 500;

/** How one engine's books are seen from outside the node. */
interface Books {
  /** How many payments have not ended. */
  unfinished(): Promise<number>;
  close(): Promise<void>;
}

/** Who pays whom: each buyer at a shop of their own, or all buyers at one shop. */
type Traffic = 'uniform' | 'hot';

/** A node on one engine, and the work that the bench gives it. */
export class Engine {
  readonly name: string;
  readonly #node: RunningNode;
  readonly #books: Books;
  readonly #scenes: readonly Scene[];
  readonly #poor: Scene;
  /** Incoming payments of the first shop, which are read again and again. */
  readonly #read: readonly string[];

  private constructor(parts: { name: string; node: RunningNode; books: Books; scenes: Scene[]; poor: Scene; read: string[] }) {
    this.name = parts.name;
    this.#node = parts.node;
    this.#books = parts.books;
    this.#scenes = parts.scenes;
    this.#poor = parts.poor;
    this.#read = parts.read;
  }

  static async onSqlite(): Promise<Engine> {
    const node = await RunningNode.start({ flags: FLAGS });
    const file = new Sqlite(join(node.dataDir, 'paydesk.db'), { readonly: true });
    const count = file.prepare<[], number>(UNFINISHED).pluck();
    return await Engine.#open('SQLite', node, {
      unfinished: async () => count.get() ?? 0,
      close: async () => {
        file.close();
      },
    });
  }

  /**
   * @param server the URL of a server whose user may make databases.
   * @param roundTripMs how far the database is away, in milliseconds there and back.
   */
  static async onPostgres(server: string, roundTripMs?: number): Promise<Engine> {
    const url = new URL(await newDatabase(server, 'bench'));
    const books = new pg.Client({ connectionString: url.href });
    await books.connect();
    const line = roundTripMs === undefined ? undefined : await FarLine.start(roundTripMs, Number(url.port || 5432));
    if (line !== undefined) Object.assign(url, { hostname: '127.0.0.1', port: new URL(line.origin).port });
    const node = await RunningNode.start({
      flags: FLAGS,
      env: { PAYDESK_DATABASE: url.href, PAYDESK_KEY: randomBytes(32).toString('base64url') },
    });
    const name = roundTripMs === undefined ? 'PostgreSQL' : `PostgreSQL, ${roundTripMs} ms away`;
    return await Engine.#open(name, node, {
      unfinished: async () => Number((await books.query<{ count: string }>(UNFINISHED)).rows[0]?.count),
      close: async () => {
        await books.end();
        await line?.stop();
      },
    });
  }

  static async #open(name: string, node: RunningNode, books: Books): Promise<Engine> {
    const scenes: Scene[] = [];
    for (let n = 0; n < PAIRS; n += 1) scenes.push(await Scene.set(node, `-${n}`));
    const poor = await Scene.set(node, '-poor', 0n);
    const [first] = scenes;
    if (first === undefined) throw new Error('there is no scene');
    const urls: string[] = [];
    await drive(node.publicUrl, first.creations(READINGS), { width: WIDTH, seconds: 60 }, 201, (body) => urls.push(idOf(body)));
    return new Engine({ name, node, books, scenes, poor, read: urls });
  }

  async close(): Promise<void> {
    for (const scene of [...this.#scenes, this.#poor]) await scene.leave();
    await this.#node.stop();
    await this.#books.close();
  }

  /** Signed reads of incoming payments. @returns how many a second. */
  async reads(count: number): Promise<number> {
    // A signature is good for a minute only.
    const signed = this.#scenes[0]?.readings(this.#read) ?? [];
    const requests = Array.from({ length: count }, (_, n) => signed[n % signed.length] ?? Buffer.alloc(0));
    return (await drive(this.#node.publicUrl, requests, { width: WIDTH, seconds: 60 }, 200)).perSecond;
  }

  /** Signed creations of incoming payments. @returns how many a second. */
  async creations(count: number): Promise<number> {
    const requests = this.#scenes.flatMap((scene) => scene.creations(Math.ceil(count / PAIRS)));
    return (await drive(this.#node.publicUrl, requests, { width: WIDTH, seconds: 60 }, 201)).perSecond;
  }

  /**
   * Payments within the node, from the first request until the last one has ended.
   * @param refusals which share of the requests comes from a buyer without money. The node refuses them.
   * @returns how many payments have ended a second, without those that were refused.
   */
  async payments(count: number, traffic: Traffic, refusals = 0): Promise<number> {
    const requests = await this.#paying(count, traffic);
    const refused = Math.round(count * refusals);
    const hopeless = refused === 0 ? [] : this.#poor.payments(await this.#invoices(this.#scenes[0], refused));
    const every = refused === 0 ? Number.POSITIVE_INFINITY : Math.floor(requests.length / refused);
    const mixed = requests.flatMap((request, n) => (n % every === every - 1 ? [request, ...hopeless.splice(0, 1)] : [request]));
    const began = performance.now();
    await inLanes(this.#node.publicUrl, mixed, { width: WIDTH, seconds: 120 }, async (connection, request) => {
      const { status, body } = await connection.send(request);
      if (status !== 201 && refused === 0) throw new Error(`a payment was refused: ${status} ${body.toString()}`);
    });
    while ((await this.#books.unfinished()) > 0) await pause(LOOK_MS);
    return (requests.length / (performance.now() - began)) * 1_000;
  }

  /** Requests that interleave the buyers. */
  async #paying(count: number, traffic: Traffic): Promise<RequestBytes[]> {
    const each = Math.ceil(count / PAIRS);
    const lists: RequestBytes[][] = [];
    for (const scene of this.#scenes) {
      lists.push(scene.payments(await this.#invoices(traffic === 'hot' ? this.#scenes[0] : scene, each)));
    }
    return Array.from({ length: each }, (_, n) => lists.flatMap((list) => list[n] ?? [])).flat();
  }

  async #invoices(scene: Scene | undefined, count: number): Promise<string[]> {
    const urls: string[] = [];
    const requests = scene?.creations(count) ?? [];
    await drive(this.#node.publicUrl, requests, { width: WIDTH, seconds: 120 }, 201, (body) => urls.push(idOf(body)));
    return urls;
  }
}
