// @ts-check
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from './build-if-needed.mjs';
import { commandOf, root, runNode, seconds } from './project.mjs';

// `npm run soak` runs tests that take too long for `npm test`. The options say how often or how long each one runs:
// - it kills a single node, and two nodes that pay each other across a bad line, while clients pay;
// - two nodes pay each other;
// - it kills two nodes that become peers by a code and renew their tokens, 30 times each;
// - it kills a node that gives back what it received, 50 times, also by claim links; one that closes days, and one that
//   gives receipts;
// - it closes the days of each year from 2000 to 2100, and charges 100,000 carts;
// - it makes backups under load and restores them, and kills a restore at each of its steps;
// - it floods a node with connections, for a number of seconds;
// - it sends made-up requests to a node;
// - it simulates two nodes with crashes and a bad line in one process, with as many new seeds as `--seeds` says;
// - a node sleeps with payments under way, for a number of seconds that is longer than a payment may take;
// - it damages the database's file and a backup, bit by bit and sector by sector, and the files of a node that runs;
// - it runs the unit tests of the node on PostgreSQL, where a server can run, and lets two processes act at the same
//   moment, `--rounds` times;
// - it cuts the power of a recorded node, and opens the books after each cut (on Linux, with a C compiler);
// - it brings a node under each kind of load, `--loads` times, and looks at its memory afterwards (on Linux);
// - it exports the statement of an account with a million movements, and prints the memory that took;
// - it sends odd calls of each operation across the bridge to the window;
// - it compares the times of answers: to long and short header fields, to ids that exist and that do not, and to honest
//   clients while a thousand wrong signatures a second come;
// - it tests the console on both hosts, with the specs that `npm test` leaves out.
// `npm run soak -- --part node` runs one part only: units, postgres, node, times or console.
// `npm run soak -- --strangers 60` runs one test only: strangers of every kind attack a node at once, for 60 minutes.
// `npm run soak -- --cluster 200` runs the tests of replicas only, with a new seed. Two and three are killed 200 times,
// and frozen and cut off from their database, during 50,000 operations of clients. One of two dies 200 times beside a
// peer, and 40 times at each of refunds, claim links, receipts and closings. A standby of its server takes over 10
// times.
const text = /** @type {const} */ ('string');
const { values, positionals } = parseArgs({
  allowPositionals: process.argv.includes('--strangers') || process.argv.includes('--cluster'),
  options: {
    kills: { type: text, default: '500' },
    payments: { type: text, default: '1000' },
    backups: { type: text, default: '100' },
    flood: { type: text, default: '60' },
    requests: { type: text, default: '22000' },
    operations: { type: text, default: '100000' },
    seeds: { type: text, default: '4' },
    calls: { type: text, default: '1000' },
    flips: { type: text, default: '10000' },
    asleep: { type: text, default: '660' },
    cuts: { type: text, default: '10000' },
    loads: { type: text, default: '20' },
    rounds: { type: text, default: '1000' },
    strangers: { type: 'boolean', default: false },
    cluster: { type: 'boolean', default: false },
    part: { type: text },
  },
});
const { strangers, cluster, part, ...amounts } = values;
const [howMuch = cluster ? '200' : '60'] = positionals;
for (const [name, value] of Object.entries({ ...amounts, [cluster ? 'cluster' : 'strangers']: howMuch })) {
  if (/^[1-9]\d{0,6}$/.test(value)) continue;
  console.error(`--${name} takes a number, such as --${name} 500`);
  process.exit(1);
}
if (strangers) process.exitCode = await soakWithStrangers();
else if (cluster) process.exitCode = await soakWithCluster();
else process.exitCode = await soakWithEverything();

// Each run makes other calls and damages. A failure names the seed that repeats them.
function newSeed() {
  return String(Date.now() % 2 ** 31);
}

async function soakWithCluster() {
  await buildIfNeeded();
  const files = ['storm', 'pair', 'steps', 'operator-steps', 'failover', 'exports', 'two-builds'].map((name) => `cluster/${name}`);
  return await outside(files, {
    PAYDESK_TEST_CLUSTER_ACTS: howMuch,
    PAYDESK_TEST_CLUSTER_OPERATIONS: String(Number(howMuch) * 250),
    PAYDESK_TEST_FAILOVERS: String(Math.ceil(Number(howMuch) / 20)),
    PAYDESK_TEST_SEED: newSeed(),
  });
}

async function soakWithStrangers() {
  if (process.platform !== 'linux') {
    console.error('--strangers runs on Linux only, because it reads the memory of the node from /proc');
    return 1;
  }
  await buildIfNeeded();
  return await outside(['node/strangers'], { PAYDESK_TEST_STRANGERS_MINUTES: howMuch });
}

async function soakWithEverything() {
  const parts = Object.entries({
    units: unitsForLong,
    postgres: onPostgres,
    node: nodeForLong,
    times: timesOfAnswers,
    console: wholeConsole,
  });
  const asked = parts.filter(([name]) => part === undefined || name === part);
  if (asked.length === 0) {
    console.error(`--part takes one of these: ${parts.map(([name]) => name).join(', ')}`);
    return 1;
  }
  const ended = [];
  for (const [name, run] of asked) {
    const start = performance.now();
    const code = await run();
    ended.push({ code, line: `${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(performance.now() - start)})` });
  }
  console.log(`\n${ended.map(({ line }) => line).join('\n')}`);
  return ended.every(({ code }) => code === 0) ? 0 : 1;
}

async function unitsForLong() {
  const files = [
    'src-main/operator-api/bridge-fuzz.test.ts',
    'src-main/audit/flips.test.ts',
    'src-main/assembly/live-flips.test.ts',
    'src-main/backup/tasks.test.ts',
    'src-main/closings/closings.test.ts',
    'src-main/closings/period.test.ts',
    'src-main/shop/shop-days.test.ts',
    'src-main/statements/size.test.ts',
    'src-renderer/till/cart/cart.test.ts',
  ];
  const { code } = await runNode(commandOf('vitest'), ['run', ...files], {
    env: {
      PAYDESK_TEST_LONG: '1',
      PAYDESK_FUZZED_CALLS: amounts.calls,
      PAYDESK_FLIPS: amounts.flips,
      PAYDESK_TEST_SEED: newSeed(),
      PAYDESK_TEST_STATEMENT_LINES: '1000000',
    },
  });
  return code;
}

async function nodeForLong() {
  await buildIfNeeded();
  const names = ['kill', 'two-nodes-kill', 'two-nodes', 'backups-under-load', 'flood', 'fuzz', 'simulator', 'asleep'];
  names.push('peering-kill', 'rates-kill', 'refund-kill', 'claim-kill', 'receipt-kill', 'closing-kill', 'second-person-kill');
  names.push('backup-interrupted', 'restore');
  if (process.platform === 'linux') names.push('power-loss', 'memory');
  else console.error('power cuts and the memory after loads are left out: they are seen on Linux only');
  const files = names.map((name) => `node/${name}`);
  return await outside(files, {
    PAYDESK_TEST_LONG: '1',
    PAYDESK_TEST_KILLS: amounts.kills,
    PAYDESK_TEST_PAYMENTS: amounts.payments,
    PAYDESK_TEST_BACKUPS: amounts.backups,
    PAYDESK_TEST_FLOOD_SECONDS: amounts.flood,
    PAYDESK_TEST_REQUESTS: amounts.requests,
    PAYDESK_TEST_OPERATIONS: amounts.operations,
    PAYDESK_TEST_NEW_SEEDS: amounts.seeds,
    PAYDESK_TEST_ASLEEP_SECONDS: amounts.asleep,
    PAYDESK_TEST_CUTS: amounts.cuts,
    PAYDESK_TEST_MEMORY_TIMES: amounts.loads,
    PAYDESK_TEST_PEERING_KILLS: '30',
    PAYDESK_TEST_RATE_KILLS: '30',
    PAYDESK_TEST_REFUND_KILLS: '50',
    PAYDESK_TEST_CLAIM_KILLS: '50',
  });
}

async function timesOfAnswers() {
  return (await runNode(join(root, 'scripts/bench.mjs'), ['fields', 'ids', 'forged'])).code;
}

async function wholeConsole() {
  return (await runNode(join(root, 'scripts/e2e.mjs'))).code;
}

/** Runs all unit tests of the node on PostgreSQL. @returns the exit code. */
async function onPostgres() {
  const { testServer } = await import('../src-main/platform/database/testing/postgres-server.ts');
  const server = await testServer();
  if (server === undefined) return 0;
  const env = { PAYDESK_TEST_ENGINE: 'postgres', PAYDESK_TEST_DATABASE: server.url, PAYDESK_TEST_ROUNDS: amounts.rounds };
  const { code } = await runNode(commandOf('vitest'), ['run', 'src-main'], { env });
  await server.stop();
  return code;
}

/**
 * Runs tests of the built node. @returns the exit code.
 * @param {string[]} names
 * @param {Record<string, string>} env
 */
async function outside(names, env) {
  const files = names.map((name) => `e2e/${name}.test.ts`);
  return (await runNode(commandOf('vitest'), ['run', '--config', 'e2e/vitest.config.ts', ...files], { env })).code;
}
