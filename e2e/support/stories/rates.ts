import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { DyingNode } from '../nodes/dying-node.ts';
import type { RateServer } from '../other-nodes/rate-server.ts';

/** A look passes four of these: before its write (1), twice inside it, and after it (4). */
const LOOK_POINTS = [2, 3, 1, 4];
/** Confirming a jump passes two more: inside its write, and after it. */
const CONFIRM_POINTS = [5, 6];
const QUOTES = ['USD', 'GBP'] as const;

/** The rates of one version. The two of a version belong together, and no two versions have a rate in common. */
const ratesOf = (version: number) => ({ USD: `1.${1_000 + version}1`, GBP: `0.8${1_000 + version}1` });

/** A node that follows the rates of a source, and dies while it reads them, or while the operator confirms a jump. */
export class DyingReader {
  readonly #dying: DyingNode;
  readonly #server: RateServer;
  readonly #source: string;
  #version = 0;

  private constructor(dying: DyingNode, server: RateServer, source: string) {
    this.#dying = dying;
    this.#server = server;
    this.#source = source;
  }

  /** Lets the node follow the server. Only the operator looks there: the worker would do so an hour later. */
  static async start(dying: DyingNode, server: RateServer): Promise<DyingReader> {
    server.sayEuro(ratesOf(0));
    const place = { kind: 'ecb' as const, url: server.url };
    const { rateSources, pairs } = dying.node.operator;
    const { id } = await rateSources.add({ requestId: randomUUID(), name: 'ECB', place, everySeconds: 3_600, isOn: false });
    await rateSources.look({ id });
    await rateSources.switch({ id, isOn: true });
    for (const quote of QUOTES)
      await pairs.follow({ base: 'EUR', quote, spreadBps: 0, maxJumpBps: 500, maxAgeSeconds: 432_000, fallsBack: false });
    return new DyingReader(dying, server, id);
  }

  /** All rates of a source change together, or none does. */
  async expectTogether(kills: number): Promise<void> {
    await this.#kill(LOOK_POINTS, kills, async () => {
      this.#server.sayEuro(ratesOf(this.#version + 1));
      await this.#look().catch(() => undefined);
      expect([this.#version, this.#version + 1]).toContain(await this.#dying.untilDone(() => this.#versionNow()));
      await this.#dying.untilDone(() => this.#look());
      this.#version += 1;
      expect(await this.#dying.untilDone(() => this.#versionNow())).toBe(this.#version);
    });
  }

  /** A jump is confirmed, or still waits. Afterwards the rates are those of no version any more. */
  async expectConfirmed(kills: number): Promise<void> {
    const pair = { base: 'EUR', quote: 'USD' };
    const stateNow = () =>
      this.#dying.untilDone(async () => {
        const found = (await this.#dying.node.operator.pairs.list()).find(({ quote }) => quote === pair.quote);
        return { believed: found?.followed?.believed?.rate, jump: found?.followed?.jump?.exact ?? null };
      });
    await this.#kill(CONFIRM_POINTS, kills, async (nth) => {
      const [next, exact] = nth % 2 === 0 ? ['5', '5/1'] : ['2', '2/1'];
      const confirm = () => this.#dying.node.operator.pairs.confirmJump({ ...pair, exact });
      const { believed } = await stateNow();
      this.#server.sayEuro({ USD: next, GBP: '0.8' });
      await this.#dying.untilDone(() => this.#look());
      expect(await stateNow()).toEqual({ believed, jump: exact });
      await confirm().catch(() => undefined);
      const after = await stateNow();
      expect([
        { believed, jump: exact },
        { believed: next, jump: null },
      ]).toContainEqual(after);
      if (after.jump !== null) await this.#dying.untilDone(confirm);
      expect(await stateNow()).toEqual({ believed: next, jump: null });
    });
  }

  #look = () => this.#dying.node.operator.rateSources.look({ id: this.#source });

  /** The version that the node has. Everything that belongs together must be of the same one. */
  async #versionNow(): Promise<number> {
    const [one] = await this.#dying.node.operator.rateSources.list();
    const pairs = await this.#dying.node.operator.pairs.list();
    const said = Object.fromEntries(one?.said?.rates.map(({ quote, rate }) => [quote, rate]) ?? []);
    const believed = Object.fromEntries(pairs.map(({ quote, followed }) => [quote, followed?.believed?.rate]));
    expect(believed).toEqual(said);
    return Number(said.USD?.slice(2, -1)) - 1_000;
  }

  /** Runs rounds until the node has died often enough in them; in each it starts with a fail point. */
  async #kill(points: readonly number[], kills: number, round: (nth: number) => Promise<void>): Promise<void> {
    const enough = this.#dying.deaths + kills;
    for (let nth = 0; this.#dying.deaths < enough; nth += 1) {
      expect(nth, 'rounds').toBeLessThan(kills * 2 + 2);
      await this.#dying.restart(`rate-step:${points[nth % points.length]}`);
      await round(nth);
    }
  }
}
