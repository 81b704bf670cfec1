import { parseArgs } from 'node:util';
import { consoleLink } from './support/nodes/console-link.ts';
import { CURRENCIES, FUNDS, SIDES, TwoNodes } from './support/nodes/two-nodes.ts';

const HELP = `Usage: npm run two-nodes [-- --bad-line [--seed NUMBER]]

Starts two paydesk nodes in temporary folders and makes each the other's peer in USD and EUR, with credit, exchange
rates, money to trade with and accounts. Then it prints how to reach them. Ctrl-C stops both and removes their folders.

  --bad-line      between them requests get lost, delayed, doubled and cut off
  --seed NUMBER   which ones; the same number repeats them (default 1)`;

/** Plays two nodes until it is told to stop. @returns the exit code. */
export async function runTwoNodes(argv: readonly string[]): Promise<number> {
  const options = { 'bad-line': { type: 'boolean' }, seed: { type: 'string' }, help: { type: 'boolean' } } as const;
  let values: { 'bad-line'?: boolean; seed?: string; help?: boolean };
  try {
    ({ values } = parseArgs({ args: [...argv], options }));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}\n`);
    return 1;
  }
  if (values.help === true) {
    process.stdout.write(`${HELP}\n`);
    return 0;
  }
  const seed = Number(values.seed ?? 1);
  if (!Number.isSafeInteger(seed)) {
    process.stderr.write('--seed takes a whole number, such as --seed 7\n');
    return 1;
  }
  const asked = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve());
  });
  const starting = TwoNodes.start(values['bad-line'] === true ? { faults: { seed } } : {});
  try {
    const nodes = await Promise.race([starting, asked]);
    if (nodes === undefined) return 130;
    await describe(nodes);
    await Promise.race([asked, ...SIDES.map((side) => nodes[side].exited())]);
    return SIDES.every((side) => nodes[side].isRunning) ? 0 : 1;
  } finally {
    await (await starting.catch(() => undefined))?.stop();
    process.stdout.write('\nBoth nodes are stopped and their folders removed.\n');
  }
}

async function describe(nodes: TwoNodes): Promise<void> {
  const credit = (FUNDS / 100n).toLocaleString('en');
  print(`Two nodes are running. Each is the other's peer in ${CURRENCIES.join(' and ')} and may owe it up to ${credit} of each.`);
  for (const side of SIDES) {
    const node = nodes[side];
    const { ilpAddress } = await node.operator.peers.self();
    print(`\nNode ${side.toUpperCase()}   ${node.publicUrl}   ILP address ${ilpAddress}`);
    print(`  console (opens once, within 10 minutes): ${await consoleLink(node)}`);
    for (const currency of CURRENCIES) {
      const { payer, shop } = nodes.accounts[side][currency];
      print(`  ${currency}: ${payer.walletAddress} has money, ${shop.walletAddress} waits for some`);
    }
  }
  if (nodes.lines) print('\nThe line between them is bad: packets get lost, delayed, doubled and cut off.');
  print('\nPress Ctrl-C to stop both.');
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
