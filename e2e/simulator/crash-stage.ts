import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type FailPoint, watchFailPoints } from '../../src-main/platform/fail-points.ts';
import { readBooks, unfinished } from '../support/books/books.ts';
import { disagreements, NOTHING_IS_OLD } from '../support/books/pair-books.ts';
import { type FaultRates, NO_FAULTS } from '../support/nodes/fault-proxy.ts';
import { Dice } from '../support/seeded.ts';
import { Acts } from './acts.ts';
import { SimulatedClock } from './clocks.ts';
import { SimulatedDisk } from './disks.ts';
import { running } from './lives.ts';
import { introduce } from './people.ts';
import { SimulatedNode } from './simulated-node.ts';
import { VirtualTime } from './virtual-time.ts';
import { Wires } from './wires.ts';

export interface Scene {
  /** The node that is paid. The payer is always the node `a`, in USD. */
  readonly to: 'a' | 'b';
  readonly gets: 'USD' | 'EUR';
  /** The amount to pay. Without it, the amount fills two packets. */
  readonly amount?: bigint;
  /** The faults of the line until {@link reliefMs}. */
  readonly rates?: FaultRates;
  /** What the receiving node's operator does once the payment is under way. */
  readonly trouble?: (receiver: SimulatedNode, invoiceId: string) => Promise<unknown>;
  /** Undoes what {@link trouble} did, at {@link reliefMs}. */
  readonly relief?: (receiver: SimulatedNode) => Promise<unknown>;
  /** How long the trouble lasts, in milliseconds of the scene. */
  readonly reliefMs?: number;
}

/** Which node dies, and when. The `victim` dies when the node `at` passes its `nth` fail point of the scene. */
interface Crash {
  readonly at: string;
  readonly nth: number;
  readonly victim: string;
}

interface Played {
  /** The fail points that were passed in the scene, in order, without those of writes that changed nothing. */
  readonly passed: readonly { readonly at: string; readonly point: FailPoint }[];
  readonly states: readonly string[];
  readonly crashed: boolean;
  readonly problems: readonly string[];
}

const START = Date.UTC(2026, 0, 1);
const MAX_PACKET = 20_000n;
const TWO_PACKETS = 30_000n;
const DOWN_MS = 1_200;
/** How long a scene may take, in virtual milliseconds. */
const PATIENCE_MS = 30 * 60_000;

/** Two nodes play the same short scene again and again. Each time one of them crashes at another moment. */
export class CrashStage {
  readonly #folder = mkdtempSync(join(tmpdir(), 'paydesk-crashes-'));
  readonly #time = new VirtualTime(START);
  readonly #acts = new Acts();
  readonly #release = this.#acts.guard();
  readonly #wires: Wires;
  readonly #nodes: readonly [SimulatedNode, SimulatedNode];
  readonly #changes = new WeakMap<object, bigint>();

  private constructor() {
    this.#wires = new Wires({ time: this.#time, dice: new Dice(7), acts: this.#acts, rates: NO_FAULTS, journal: () => undefined });
    const node = (name: string): SimulatedNode => {
      const folder = join(this.#folder, name);
      mkdirSync(folder);
      const { http, peerHttp } = this.#wires;
      const made = new SimulatedNode({
        ...{ name, folder, http, peerHttp, maxPacketAmount: MAX_PACKET },
        clock: new SimulatedClock(this.#time, 0),
        disk: new SimulatedDisk(this.#time, new Dice(7)),
        onStopped: (stopped) => this.#crash(stopped),
      });
      this.#wires.connect(made);
      return made;
    };
    this.#nodes = [node('a'), node('b')];
  }

  static async open(): Promise<CrashStage> {
    const stage = new CrashStage();
    stage.#time.install();
    for (const node of stage.#nodes) await node.start();
    await introduce(stage.#nodes);
    return stage;
  }

  async close(): Promise<void> {
    for (const node of this.#nodes) await node.stop();
    this.#time.uninstall();
    this.#release();
    rmSync(this.#folder, { recursive: true });
  }

  async play(scene: Scene, crash?: Crash): Promise<Played> {
    const passed: { at: string; point: FailPoint }[] = [];
    let crashed = false;
    let nth = 0;
    let changed = false;
    watchFailPoints((point) => {
      const node = this.#nodes.find(({ life }) => life === running.getStore());
      if (node === undefined) return;
      if (point === 'before-commit') changed = this.#hasChanged(node);
      if (point.endsWith('commit') && !changed) return;
      passed.push({ at: node.name, point });
      if (crash?.at !== node.name) return;
      nth += 1;
      if (nth !== crash.nth || crashed) return;
      crashed = true;
      this.#crash(this.#named(crash.victim));
    });
    const ids: string[] = [];
    await this.#perform(scene, ids);
    watchFailPoints();
    return { passed, crashed, ...this.#judge(ids) };
  }

  /** Plays until no payment is under way. */
  async #perform(scene: Scene, ids: string[]): Promise<void> {
    const [a] = this.#nodes;
    const receiver = this.#named(scene.to);
    const begun = this.#time.now();
    this.#wires.rates = NO_FAULTS;
    let isOver = false;
    let isRelieved = false;
    this.#acts.begin(() =>
      this.#act(scene, a, receiver, ids).finally(() => {
        isOver = true;
      }),
    );
    for (let round = 1; ; round += 1) {
      this.#time.step(this.#time.now() + 500);
      await turns(6);
      const passedMs = this.#time.now() - begun;
      if (!isRelieved && passedMs >= (scene.reliefMs ?? 0) && isOver && this.#areUp) {
        this.#wires.rates = NO_FAULTS;
        isRelieved = (await this.#relieve(scene, receiver)) === 'done';
      }
      if (round % 8 === 0 && isRelieved && this.#areUp && this.#nodes.every((node) => readBooks(node, unfinished) === 0)) break;
      if (passedMs > PATIENCE_MS) break;
    }
  }

  async #act(scene: Scene, payer: SimulatedNode, receiver: SimulatedNode, ids: string[]): Promise<void> {
    const invoice = await receiver.as(async () => {
      const walletAddress = await receiver.services.walletAddresses.byName(`shop-${scene.gets.toLowerCase()}`);
      if (walletAddress === undefined) throw new Error('there is no such shop');
      const made = await receiver.services.incomingPayments.create({ walletAddress, client: null });
      if (!made.ok) throw new Error(made.error);
      return made.value.id;
    });
    this.#wires.rates = scene.rates ?? NO_FAULTS;
    const made = await payer.as(async () => {
      const walletAddress = await payer.services.walletAddresses.byName('payer-usd');
      if (walletAddress === undefined) throw new Error('there is no such payer');
      const debitAmount = { value: scene.amount ?? TWO_PACKETS, assetCode: 'USD', assetScale: 2 };
      const incomingPayment = receiver.urls.incomingPayment(invoice);
      return await payer.services.outgoingPayments.createFromIncomingPayment({ walletAddress, right: null, incomingPayment, debitAmount });
    });
    if (made.ok) ids.push(made.value.id);
    await receiver.as(async () => await scene.trouble?.(receiver, invoice));
  }

  async #relieve({ relief }: Scene, receiver: SimulatedNode): Promise<'done' | 'not yet'> {
    if (relief === undefined) return 'done';
    return await receiver
      .as(async () => await relief(receiver))
      .then(
        () => 'done' as const,
        () => 'not yet' as const,
      );
  }

  #judge(ids: readonly string[]): Pick<Played, 'states' | 'problems'> {
    const [a, b] = this.#nodes;
    if (!this.#areUp) return { states: [], problems: ['a node did not come back'] };
    const stateOf = readBooks(a, (books) => {
      const query = books.prepare<[string], string>('select state from outgoing_payments where id = ?').pluck();
      return ids.map((id) => query.get(id) ?? 'lost');
    });
    const problems = readBooks(a, (ours) => readBooks(b, (theirs) => disagreements(ours, theirs, { now: NOTHING_IS_OLD })));
    return { states: stateOf, problems: [...this.#acts.problems, ...problems] };
  }

  get #areUp(): boolean {
    return this.#nodes.every(({ isUp }) => isUp);
  }

  /** Whether this commit has changed anything. The worker looks for work every second, and mostly finds none. */
  #hasChanged(node: SimulatedNode): boolean {
    const { connection } = node.database;
    const total = connection.prepare<[], bigint>('select total_changes()').pluck().get() ?? 0n;
    const before = this.#changes.get(connection);
    this.#changes.set(connection, total);
    return before !== total;
  }

  #named(name: string): SimulatedNode {
    const node = this.#nodes.find((candidate) => candidate.name === name);
    if (node === undefined) throw new Error('there is no such node');
    return node;
  }

  #crash(node: SimulatedNode): void {
    node.crash();
    this.#time.after(DOWN_MS, () => this.#acts.begin(() => node.start()));
  }
}

/** Lets so many turns of the event loop pass, in which everything runs that needs no time. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
