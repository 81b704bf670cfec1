import type {
  BytesAnswer,
  BytesProblem,
  BytesRequest,
  JsonAnswer,
  OutboundBytes,
  OutboundHttp,
  OutboundProblem,
} from '../../src-main/platform/outbound-http/outbound-http.ts';
import { ok, type Result, refuse } from '../../src-main/platform/result.ts';
import type { FaultRates } from '../support/nodes/fault-proxy.ts';
import type { Dice } from '../support/seeded.ts';
import type { Acts } from './acts.ts';
import { Down, running } from './lives.ts';
import type { SimulatedNode } from './simulated-node.ts';
import type { VirtualTime } from './virtual-time.ts';

/** How long a request or an answer takes, in milliseconds. A delayed one takes longer than any packet lives. */
const LAG_MS = 12;
const DELAY_MS = 45_000;

export type Journal = (what: string) => void;

interface Parts {
  time: VirtualTime;
  dice: Dice;
  acts: Acts;
  rates: FaultRates;
  journal: Journal;
}

/** The line between the nodes. It loses, delays, doubles and cuts requests, and tells neither node. */
export class Wires {
  rates: FaultRates;
  readonly #time: VirtualTime;
  readonly #dice: Dice;
  readonly #acts: Acts;
  readonly #journal: Journal;
  readonly #nodes = new Map<string, SimulatedNode>();

  constructor({ time, dice, acts, rates, journal }: Parts) {
    this.#time = time;
    this.#dice = dice;
    this.#acts = acts;
    this.rates = rates;
    this.#journal = journal;
  }

  connect(node: SimulatedNode): void {
    this.#nodes.set(new URL(node.urls.origin).host, node);
  }

  /** Carries packets to peers. */
  readonly peerHttp: OutboundBytes = {
    mayAsk: () => true,
    postBytes: (url, request) =>
      new Promise((resolve) => {
        // A node that has just died sends nothing more.
        if (running.getStore()?.alive === false) return;
        this.#time.after(request.timeoutMs, () => resolve(refuse({ problem: 'timed_out', sent: true })));
        this.#carry(url, request, resolve);
      }),
  };

  /**
   * Carries requests to other wallets. It has no faults except a node that is down, because these requests move no
   * money.
   */
  readonly http: OutboundHttp = {
    getJson: (url) => this.#ask(url, (node) => node.show(url, false)),
    requestJson: (method, url) => this.#ask(url, (node) => (method === 'POST' ? node.grant() : node.show(url, true))),
    close: () => undefined,
  };

  #carry(url: string, request: BytesRequest, resolve: (answer: Result<BytesAnswer, BytesProblem>) => void): void {
    const { drop, delay, duplicate, cut } = this.rates;
    const chance = this.#dice.below(1_000_000) / 1_000_000;
    const there = this.#lag();
    const lost = (sent: boolean) => (): void => resolve(refuse({ problem: 'unreachable', sent }));
    // The doubled request has arrived, so its sender does not learn that the other node is down.
    const isDoubled = chance >= drop + delay + cut && chance < drop + delay + cut + duplicate;
    const arriveAfter = (ms: number, answer: (answer: Result<BytesAnswer, BytesProblem>) => void): void =>
      this.#time.after(ms, () => this.#acts.begin(() => this.#arrive(url, request, { back: this.#lag(), wasTaken: isDoubled }, answer)));
    if (chance < drop) {
      this.#journal('packet dropped');
      this.#time.after(there, lost(true));
    } else if (chance < drop + delay) {
      this.#journal('packet delayed');
      arriveAfter(this.#dice.below(DELAY_MS), resolve);
    } else if (chance < drop + delay + cut) {
      this.#journal('answer cut');
      arriveAfter(there, lost(true));
    } else {
      arriveAfter(there, resolve);
      if (isDoubled) {
        this.#journal('packet doubled');
        arriveAfter(this.#dice.below(DELAY_MS), () => undefined);
      }
    }
  }

  async #arrive(
    url: string,
    request: BytesRequest,
    { back, wasTaken }: { back: number; wasTaken: boolean },
    resolve: (answer: Result<BytesAnswer, BytesProblem>) => void,
  ): Promise<void> {
    const node = this.#at(url);
    this.#journal('packet arrives');
    if (node?.isUp !== true) return this.#time.after(back, () => resolve(refuse({ problem: 'unreachable', sent: wasTaken })));
    try {
      const answer = await node.takePacket(request);
      this.#journal('answer leaves');
      this.#time.after(back, () => resolve(ok(answer)));
    } catch (error) {
      if (!(error instanceof Down)) throw error;
      // The request has arrived. Its sender does not learn what became of it.
      this.#time.after(back, () => resolve(refuse({ problem: 'unreachable', sent: true })));
    }
  }

  #ask(url: string, work: (node: SimulatedNode) => Promise<JsonAnswer>): Promise<Result<JsonAnswer, OutboundProblem>> {
    return new Promise((resolve) => {
      const unreachable = (): void => resolve(refuse('unreachable'));
      this.#time.after(this.#lag(), () => {
        const node = this.#at(url);
        this.#journal('wallet asked');
        if (node?.isUp !== true) return unreachable();
        work(node).then((answer) => this.#time.after(this.#lag(), () => resolve(ok(answer))), unreachable);
      });
    });
  }

  #at = (url: string): SimulatedNode | undefined => this.#nodes.get(new URL(url).host);

  #lag(): number {
    return 1 + this.#dice.below(LAG_MS);
  }
}
