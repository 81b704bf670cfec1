import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../support/report.ts';
import { BareLoop } from './bare-loop.ts';
import { LocalPayments } from './local-payments.ts';

const WIDTH = 32;
const ROUNDS = 5;

/** Figures per second, as the medians of rounds in which all took turns. */
interface StreamAndLedger {
  bare: number;
  /** Payments that exist already and are carried from funded to completed. */
  carried: number;
  /** The same with making them: from the request to completed. */
  made: number;
  /** `carried` as a share of the bare loop in the same round. */
  share: number;
}

const WAVES = 40;

/** Payments between two accounts of one node, and a bare loop of STREAM and a ledger, in turns and in waves of 32. */
export async function measureStreamAndLedger(): Promise<StreamAndLedger> {
  const folder = mkdtempSync(join(tmpdir(), 'paydesk-bench-'));
  const [bareLoop, local] = [new BareLoop(join(folder, 'bare.db')), await LocalPayments.open(folder)];
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const start = performance.now();
    await work();
    return performance.now() - start;
  };
  try {
    const rounds: StreamAndLedger[] = [];
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const spent = { bare: 0, made: 0, carried: 0 };
      for (let wave = 0; wave < WAVES; wave += 1) {
        spent.bare += await timed(() => Promise.all(Array.from({ length: WIDTH }, () => bareLoop.pay())));
        spent.made += await timed(() => local.make(WIDTH));
        spent.carried += await timed(() => local.carry());
      }
      const perSecond = (ms: number): number => (WAVES * WIDTH * 1_000) / ms;
      const figures = { bare: perSecond(spent.bare), carried: perSecond(spent.carried), made: perSecond(spent.made + spent.carried) };
      if (round > 0) rounds.push({ ...figures, share: figures.carried / figures.bare });
    }
    const of = (pick: (round: StreamAndLedger) => number): number => median(rounds.map(pick));
    return {
      bare: of(({ bare }) => bare),
      carried: of(({ carried }) => carried),
      made: of(({ made }) => made),
      share: of(({ share }) => share),
    };
  } finally {
    bareLoop.close();
    await local.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
