import { setTimeout as pause } from 'node:timers/promises';
import type { Seen } from './crowd.ts';
import { KINDS } from './kinds.ts';
import { MadeUpWallets } from './made-up-wallets.ts';
import { type AttackedNode, Stranger, type Tally } from './stranger.ts';

// The process behind `Crowd`: it attacks the node that its argument describes, until it is told to stop.

const node = JSON.parse(process.argv[2] ?? '') as AttackedNode;
const wallets = await MadeUpWallets.start();
const tallies: Record<string, Tally> = {};
let flowing = true;

for (const [index, [name, { lanes, begin }]] of Object.entries(KINDS).entries()) {
  const tally: Tally = {};
  tallies[name] = tally;
  for (let lane = 0; lane < lanes; lane++) {
    const stranger = new Stranger(node, wallets, `127.0.${100 + index}.${lane + 1}`, tally);
    const step = begin(stranger);
    void (async () => {
      while (flowing) {
        try {
          await step();
        } catch (error) {
          stranger.count(error instanceof Error ? `error: ${error.message}` : 'error');
          await pause(100);
        }
      }
    })();
  }
}

process.on('message', () => {
  flowing = false;
  process.send?.({ tallies, mostAsked: wallets.mostAsked } satisfies Seen);
});
process.on('disconnect', () => process.exit(0));
process.send?.('here');
