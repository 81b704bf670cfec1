import { setTimeout as pause } from 'node:timers/promises';
import { EMPTY_PROFILE } from '../../../src-shared/shop/shop-profile.ts';
import type { Operator, RunningNode } from '../nodes/running-node.ts';
import type { RegisterCall } from '../register.ts';
import type { Dice } from '../seeded.ts';
import type { Call } from './cluster-clients.ts';

/** Longer than a replica that has no database says so, and than it stands still at most. */
const WAITS_MS = 25_000;
const REST_MS = 40;
const UNAUTHORIZED = 401;

/** A setting that operators write at one replica and read at another. */
interface Setting {
  /** The value before anybody writes. */
  readonly initial: string;
  /** A value that no other write has. */
  valueOf(writer: number, count: number): string;
  write(operator: Operator, value: string): Promise<unknown>;
  read(operator: Operator): Promise<string>;
}

const PAIR = { base: 'USD', quote: 'EUR' } as const;

const NAMES = ["the shop's name", 'a rate'] as const;
type SettingName = (typeof NAMES)[number];

/** What is checked as a register. */
export const SETTINGS: Readonly<Record<SettingName, Setting>> = {
  "the shop's name": {
    initial: EMPTY_PROFILE.name,
    valueOf: (writer, count) => `Shop ${writer}-${count}`,
    write: (operator, name) => operator.shop.set({ ...EMPTY_PROFILE, name }),
    read: async (operator) => (await operator.shop.get()).profile.name,
  },
  'a rate': {
    initial: 'none',
    valueOf: (writer, count) => `${count + 1}.${writer + 1}`,
    write: (operator, rate) =>
      operator.rates.set({ ...PAIR, rate, spreadBps: 0, source: 'the test', asOf: new Date(), maxAgeSeconds: 31_536_000 }),
    read: async (operator) => (await operator.rates.list()).find(({ quote }) => quote === PAIR.quote)?.rate ?? 'none',
  },
};

/** A call to a setting, or a look at all balances. */
interface OperatorCall extends Call {
  readonly kind: 'write' | 'read' | 'balances';
  readonly setting?: SettingName;
}

/** The calls of one setting, as a checker of registers takes them. */
export function callsOf(log: readonly OperatorCall[], wanted: string): RegisterCall[] {
  return log.flatMap(({ kind, setting, outcome, id = '', start, end }): RegisterCall[] => {
    if (setting !== wanted || kind === 'balances' || outcome === 'refused') return [];
    // What was not answered may be stored at any time from then on.
    if (kind === 'write') return [{ kind, value: id, start, end: outcome === 'ok' ? end : Number.POSITIVE_INFINITY }];
    return outcome === 'ok' ? [{ kind, value: id, start, end }] : [];
  });
}

/** An operator who writes settings at any replica, and reads them and the balances of all accounts at any other. */
export class ClusterOperator {
  readonly log: OperatorCall[] = [];
  readonly #nodes: () => readonly RunningNode[];
  readonly #dice: Dice;
  readonly #number: number;
  readonly #total: bigint;
  #count = 0;

  /**
   * @param nodes the replicas, of which some may be dead.
   * @param number tells this operator from others.
   * @param total what all accounts have together, at every moment.
   */
  constructor(nodes: () => readonly RunningNode[], dice: Dice, { number, total }: { number: number; total: bigint }) {
    this.#nodes = nodes;
    this.#dice = dice;
    this.#number = number;
    this.#total = total;
  }

  /** Works until it is told to stop. @throws Error when balances do not add up, or a call is refused. */
  async work(goOn: () => boolean): Promise<void> {
    while (goOn()) {
      const living = this.#nodes().filter(({ isRunning }) => isRunning);
      if (living.length > 0) await this.#act(this.#dice.pick(living).operator);
      await pause(this.#dice.below(REST_MS));
    }
  }

  async #act(operator: Operator): Promise<void> {
    if (this.#dice.chance(0.2)) return await this.#addUp(operator);
    const name = this.#dice.pick(NAMES);
    const setting = SETTINGS[name];
    if (this.#dice.chance(0.6)) {
      await this.#call({ kind: 'read', setting: name }, () => setting.read(operator));
      return;
    }
    const value = setting.valueOf(this.#number, this.#count++);
    await this.#call({ kind: 'write', setting: name, id: value }, async () => {
      await setting.write(operator, value);
      return value;
    });
  }

  async #addUp(operator: Operator): Promise<void> {
    const sum = await this.#call({ kind: 'balances' }, async () => {
      const { items } = await operator.accounts.list({});
      return items.reduce((total, { balance, reserved }) => total + balance + reserved, 0n).toString();
    });
    if (sum !== undefined && sum !== this.#total.toString()) throw new Error(`all accounts had ${sum} together instead of ${this.#total}`);
  }

  /** @returns what was answered; undefined without an answer. */
  async #call(about: Pick<OperatorCall, 'kind' | 'setting' | 'id'>, act: () => Promise<string>): Promise<string | undefined> {
    const start = performance.now();
    const late = new AbortController();
    try {
      const id = await Promise.race([act(), tooLate(late.signal)]);
      this.log.push({ ...about, id, start, end: performance.now(), outcome: 'ok' });
      return id;
    } catch (error) {
      const status = error instanceof Error && 'status' in error ? Number(error.status) : undefined;
      const isRefused = status !== undefined && status >= 400 && status < 500;
      this.log.push({ ...about, start, end: performance.now(), outcome: isRefused ? 'refused' : 'unknown' });
      // Others had taken this replica for dead. With its next heartbeat, its token for scripts is good again.
      if (isRefused && status !== UNAUTHORIZED) throw error;
      return undefined;
    } finally {
      late.abort();
    }
  }
}

async function tooLate(signal: AbortSignal): Promise<never> {
  await pause(WAITS_MS, undefined, { signal }).catch(() => undefined);
  throw new Error('nobody has answered');
}
