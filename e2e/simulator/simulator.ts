import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { damagesIn } from '../../src-main/audit/whole-books.ts';
import { type FailPoint, watchFailPoints } from '../../src-main/platform/fail-points.ts';
import { readBooks, unfinished } from '../support/books/books.ts';
import { disagreements } from '../support/books/pair-books.ts';
import { MANY_FAULTS, NO_FAULTS } from '../support/nodes/fault-proxy.ts';
import { Dice, seeded } from '../support/seeded.ts';
import { Acts } from './acts.ts';
import { SimulatedClock } from './clocks.ts';
import { SimulatedDisk } from './disks.ts';
import { Down, running } from './lives.ts';
import { introduce, People } from './people.ts';
import { releaseHeldPackets } from './recoveries.ts';
import { seedCrypto } from './seeded-crypto.ts';
import { SimulatedNode } from './simulated-node.ts';
import { Troubles } from './troubles.ts';
import { VirtualTime } from './virtual-time.ts';
import { Wires } from './wires.ts';

interface SimulationOptions {
  /**
   * How many operations to simulate. Requests of people and operators, packets and answers, writes of the ledger and
   * payments, crashes, and starts count as operations.
   */
  readonly operations: number;
  /** The seed of all chance. The same seed gives the same simulation. */
  readonly seed: number;
  /** `released`: the nodes release held packets when they start. That is wrong, and the simulation must find it. */
  readonly recovery?: 'as it is' | 'released';
}

interface Simulation {
  readonly operations: number;
  /** How often each kind of operation has happened. */
  readonly counts: Readonly<Record<string, number>>;
  /** It is empty when the books of both nodes agree to the unit and nothing is lost or stuck. */
  readonly problems: readonly string[];
}

const START = Date.UTC(2026, 0, 1);
/** The probability that a node dies each time it passes a fail point. */
const CRASH_CHANCE = 1 / 400;
const MAX_PACKET = 20_000n;
/** How many operations run between two checks of the books. */
const BETWEEN_LOOKS = 10_000;
/** How long payments may take to end after people have stopped and the line works, in virtual milliseconds. */
const PATIENCE_MS = 60 * 60_000;
/** How often months pass after a look, and how many days that are at least, and how many more at most. */
const MONTHS_CHANCE = 0.7;
const [LEAST_DAYS, MORE_DAYS] = [33, 60];
const DAY_MS = 24 * 60 * 60_000;

/**
 * Simulates two nodes that pay each other, with crashes and a bad line between them. Everything runs in one process,
 * and nothing waits for real time.
 */
export async function simulate({ operations, seed, recovery = 'as it is' }: SimulationOptions): Promise<Simulation> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-simulator-'));
  const time = new VirtualTime(START);
  const restoreCrypto = seedCrypto(seeded(seed));
  const acts = new Acts();
  const release = acts.guard();
  time.install();
  try {
    return await new Simulator({ folder, time, seed, recovery, acts }).run(operations);
  } finally {
    watchFailPoints();
    time.uninstall();
    release();
    restoreCrypto();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Parts {
  readonly folder: string;
  readonly time: VirtualTime;
  readonly seed: number;
  readonly recovery: 'as it is' | 'released';
  readonly acts: Acts;
}

class Simulator {
  readonly #time: VirtualTime;
  readonly #dice: Dice;
  readonly #wires: Wires;
  readonly #nodes: readonly [SimulatedNode, SimulatedNode];
  readonly #people: People;
  readonly #troubles: Troubles;
  readonly #acts: Acts;
  readonly #counts: Record<string, number> = {};
  #events = 0;
  #mayCrash = false;

  constructor({ folder, time, seed, recovery, acts }: Parts) {
    this.#time = time;
    this.#acts = acts;
    this.#dice = new Dice(seed);
    const journal = (what: string): void => this.#note(what);
    this.#wires = new Wires({ time, dice: this.#dice, acts, rates: MANY_FAULTS, journal });
    const node = (name: string, skewMs: number): SimulatedNode => {
      mkdirSync(join(folder, name));
      const { http, peerHttp } = this.#wires;
      const made = new SimulatedNode({
        ...{ name, folder: join(folder, name), http, peerHttp, maxPacketAmount: MAX_PACKET },
        clock: new SimulatedClock(time, skewMs),
        disk: new SimulatedDisk(time, this.#dice),
        onStopped: (stopped) => this.#crash(stopped),
        beforeStart: recovery === 'released' ? releaseHeldPackets : undefined,
      });
      this.#wires.connect(made);
      return made;
    };
    this.#nodes = [node('a', 0), node('b', 700)];
    this.#people = new People({ nodes: this.#nodes, dice: this.#dice, acts, journal });
    this.#troubles = new Troubles({
      ...{ nodes: this.#nodes, dice: this.#dice, people: this.#people, acts, folder, journal },
      crash: (victim) => this.#crash(victim),
      startLater: (stopped) => this.#startLater(stopped),
    });
  }

  async run(operations: number): Promise<Simulation> {
    for (const node of this.#nodes) await node.start();
    await introduce(this.#nodes);
    watchFailPoints((point) => this.#passFailPoint(point));
    const problems: string[] = [];
    while (this.#operations < operations && problems.length === 0) {
      const found = await this.#liveAndLook(Math.min(operations, this.#operations + BETWEEN_LOOKS));
      problems.push(...this.#acts.problems, ...found);
    }
    const simulation = { operations: this.#operations, counts: { ...this.#counts, writes: this.#writes }, problems };
    for (const node of this.#nodes) {
      // A disk may break in the last moment.
      await node.stop().catch((error: unknown) => this.#acts.note(error));
      node.crash();
    }
    return simulation;
  }

  get #writes(): number {
    return this.#nodes.reduce((sum, { writes }) => sum + writes, 0);
  }
  get #operations(): number {
    return this.#events + this.#writes;
  }

  /** @returns what is wrong then. Whatever breaks the simulation itself is wrong, too. */
  async #liveAndLook(until: number): Promise<readonly string[]> {
    try {
      await this.#live(until);
      const found = await this.#look();
      if (found.length > 0 || !this.#dice.chance(MONTHS_CHANCE)) return found;
      await this.#letMonthsPass();
      return await this.#look();
    } catch (error) {
      return [`the simulation broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
    }
  }

  /** Runs until there have been `until` operations. */
  async #live(until: number): Promise<void> {
    this.#mayCrash = true;
    this.#wires.rates = MANY_FAULTS;
    while (this.#operations < until) {
      const chance = this.#dice.below(100);
      if (chance < 8) this.#people.pay();
      else if (chance === 8 && this.#dice.chance(0.3)) this.#people.operate();
      else if (chance === 9 && this.#dice.chance(0.05)) this.#crash(this.#dice.pick(this.#nodes));
      else if (chance === 10 && this.#dice.chance(0.15)) this.#troubles.strike();
      else this.#time.step(this.#time.now() + this.#dice.below(200));
      await turns(this.#dice.below(6));
    }
  }

  /** Waits until no payment is under way, then compares the books of the two nodes. */
  async #look(): Promise<string[]> {
    this.#mayCrash = false;
    this.#troubles.end();
    this.#wires.rates = NO_FAULTS;
    const end = this.#time.now() + PATIENCE_MS;
    for (let round = 0; ; round += 1) {
      for (let step = 0; step < 200; step += 1) {
        this.#time.step(this.#time.now() + 500);
        await turns(4);
      }
      const areUp = this.#nodes.every(({ isUp }) => isUp);
      const open = areUp ? this.#open() : 1;
      if (open === 0 && this.#people.busy === 0) break;
      if (this.#time.now() > end) {
        if (!areUp) return ['a node does not come up again'];
        // What the books say besides tells why.
        return [`${open} payments are stuck, ${this.#people.busy} people still wait`, ...(await this.#compare())];
      }
      if (round % 5 !== 0) continue;
      this.#people.reopen();
      this.#people.decide();
    }
    return await this.#compare();
  }

  async #compare(): Promise<string[]> {
    const [a, b] = this.#nodes;
    const known = { forgotten: { a: a.forgotten, b: b.forgotten }, kept: { a: a.kept, b: b.kept }, now: this.#time.now() };
    const problems = readBooks(a, (ours) => readBooks(b, (theirs) => disagreements(ours, theirs, known)));
    const damages = (await Promise.all(this.#nodes.map(({ file }) => damagesIn(file)))).flat();
    const found = damages.map((finding) => `the node's own audit finds ${inspect(finding)}`);
    return [...problems, ...found, ...this.#people.lost()];
  }

  /** Months pass in which nobody pays. Then both nodes archive what is old, and may die at each step of that. */
  async #letMonthsPass(): Promise<void> {
    this.#note('months pass');
    this.#time.leap((LEAST_DAYS + this.#dice.below(MORE_DAYS)) * DAY_MS);
    this.#mayCrash = true;
    for (const node of this.#nodes) {
      for (let isDone = false; !isDone; ) {
        for (let step = 0; step < 20 || !node.isUp; step += 1) {
          this.#time.step(this.#time.now() + 500);
          await turns(4);
        }
        isDone = await node.archiveOld().then(
          (moved) => {
            for (let nth = 0; nth < moved; nth += 100) this.#note('archived');
            return true;
          },
          (error: unknown) => {
            if (!(error instanceof Down)) throw error;
            return false;
          },
        );
      }
    }
  }

  #open(): number {
    return this.#nodes.reduce((sum, node) => sum + readBooks(node, unfinished), 0);
  }

  #passFailPoint(point: FailPoint): void {
    const life = running.getStore();
    const node = this.#nodes.find((candidate) => candidate.life === life);
    if (node === undefined) return;
    node.disk.pass(point);
    if (!this.#mayCrash || !this.#dice.chance(CRASH_CHANCE)) return;
    this.#crash(node);
    // Steps of files follow each other without a pause, and a dead node takes none.
    if (point.endsWith('-step')) throw new Down();
  }

  #crash(node: SimulatedNode): void {
    if (node.life === undefined) return;
    this.#note('crash');
    node.crash();
    this.#startLater(node);
  }

  #startLater(node: SimulatedNode): void {
    this.#time.after(this.#dice.below(3_000), () => {
      this.#note('start');
      // The node can die while it starts. The code that crashed it has already planned its next start.
      this.#acts.begin(() => node.start());
    });
  }

  #note(what: string): void {
    this.#events += 1;
    this.#counts[what] = (this.#counts[what] ?? 0) + 1;
  }
}

/** Lets so many turns of the event loop pass, in which everything runs that needs no time. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
