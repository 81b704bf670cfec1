import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contradictions, readBooks } from '../support/books/books.ts';
import { createAccount } from '../support/clients/flows.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { TestPeer } from '../support/other-nodes/test-peer.ts';
import { Crowd } from '../support/strangers/crowd.ts';
import { HonestClient } from '../support/strangers/honest-client.ts';
import { NameServers } from '../support/strangers/name-servers.ts';
import { RevokedKeys } from '../support/strangers/revoked-keys.ts';
import { UnknownWallet } from '../support/strangers/unknown-wallet.ts';

// `npm run soak -- --strangers 60` runs it, on Linux. It measures with the clock, so `npm test` leaves the file out.

const MINUTES = Number(process.env.PAYDESK_TEST_STRANGERS_MINUTES);
const QUIET_MS = 60_000;
const ROUND_MS = 1_000;
const HOUR_MS = 3_600_000;
const MB = 1e6;
const MOST_MEMORY = 400 * MB;
const MOST_DISK_AN_HOUR = 200 * MB;
/**
 * How many times slower than on the quiet node the honest client may be. The p99 of each window of 20 s is taken, and
 * the medians of these are compared, so that neither a single slow answer nor a single slow window decides.
 */
const MOST_SLOWER = 2;
const WINDOW_MS = 20_000;
/** Nobody notices a difference between times below this one. */
const LEAST_P99_MS = 50;
/** Strangers make the node ask a server 10 times a second (`STRANGER_BUDGETS`), and known keys are read beside that. */
const MOST_ASKED_A_SECOND = 20;
/** Five minutes, and the time between two looks. */
const MOST_AFTERLIFE_SECONDS = 300 + 10;

let node: RunningNode;
let honest: HonestClient;
let unknown: UnknownWallet;
let crowd: Crowd | undefined;
let keys: RevokedKeys;
const nameServers = new NameServers();
beforeAll(async () => {
  const env = await nameServers.open();
  node = await RunningNode.start({ flags: ['--log-level', 'error', '--token-lifetime', '86400'], env });
  const { walletAddress } = await createAccount(node, 'shop', 0n);
  honest = await HonestClient.start(node, walletAddress);
  unknown = await UnknownWallet.start({ publicUrl: node.publicUrl, shop: walletAddress });
  keys = await RevokedKeys.start({ publicUrl: node.publicUrl, shop: walletAddress });
});
afterAll(async () => {
  crowd?.kill();
  keys.stop();
  await unknown.stop();
  await honest.stop();
  await node.stop();
  nameServers.close();
});

/** Memory of the node in bytes: now, or the most so far. */
const memory = (field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${node.pid}/status`, 'utf8'))?.[1]) * 1024;
const disk = (): number =>
  readdirSync(node.dataDir, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + (statSync(join(node.dataDir, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
const mb = (bytes: number): string => `${(bytes / MB).toFixed(1)} MB`;

interface Sample {
  readonly at: number;
  readonly memory: number;
  readonly disk: number;
}

/** The latencies of one window after the other, until so much time has passed. */
class Windows {
  readonly #p99s: number[] = [];
  readonly #p50s: number[] = [];
  readonly samples: Sample[] = [];
  requests = 0;

  async pay(ms: number): Promise<this> {
    for (let left = ms; left > 0; left -= WINDOW_MS) {
      const begin = this.samples.at(-1)?.at ?? 0;
      const samples = await payFor(Math.min(left, WINDOW_MS));
      this.samples.push(...samples.map((sample) => ({ ...sample, at: begin + sample.at })));
      const { requests, p50, p99 } = honest.takeLatencies();
      this.requests += requests;
      this.#p50s.push(p50);
      this.#p99s.push(p99);
    }
    return this;
  }

  get p50(): number {
    return median(this.#p50s);
  }

  get p99(): number {
    return median(this.#p99s);
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Lets the honest client pay at an even pace, and looks at the node meanwhile. */
async function payFor(ms: number): Promise<Sample[]> {
  const samples: Sample[] = [];
  const begin = Date.now();
  while (Date.now() - begin < ms) {
    const next = Date.now() + ROUND_MS;
    await honest.payOnce();
    samples.push({ at: Date.now() - begin, memory: memory('VmRSS'), disk: disk() });
    await pause(Math.max(0, next - Date.now()));
  }
  return samples;
}

/** What an hour would leave on the disk, when the rest of it went on like the second half of the samples. */
function diskInAnHour(before: number, samples: readonly Sample[]): number {
  const [middle, last] = [samples[Math.floor(samples.length / 2)], samples.at(-1)];
  if (middle === undefined || last === undefined || last.at <= middle.at) throw new Error('no samples');
  const perMs = Math.max(0, last.disk - middle.disk) / (last.at - middle.at);
  return last.disk - before + perMs * Math.max(0, HOUR_MS - last.at);
}

interface ForeignRows {
  payments: number;
  approvals: number;
  apps: number;
  requests: number;
  activity: number;
}

/**
 * What stands in the operator's lists and is nobody's business there.
 * @param own the requests that the operator has made.
 * @param entry the last entry of the activity log before the strangers came.
 */
async function foreignRows(own: readonly string[], entry: number): Promise<ForeignRows> {
  let payments = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { items, nextCursor } = await node.operator.payments.list({ limit: 200, ...(cursor !== undefined && { cursor }) });
    payments += items.filter(({ client }) => client !== null && client !== honest.url).length;
    cursor = nextCursor;
  }
  let apps = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { items, nextCursor } = await node.operator.apps.grants({
      which: 'allowed',
      limit: 100,
      ...(cursor !== undefined && { cursor }),
    });
    apps += items.filter(({ client }) => client.id !== honest.url).length;
    cursor = nextCursor;
  }
  const approvals = await node.operator.approvals.list();
  const { items: requests } = await node.operator.requests.open();
  return {
    payments,
    approvals: approvals.length,
    apps,
    requests: requests.filter(({ id }) => !own.includes(id)).length,
    activity: (await lastEntry()) - entry,
  };
}

const lastEntry = async (): Promise<number> => (await node.operator.activity.list({ limit: 1 })).entries;

const rows = (): Record<string, number> =>
  readBooks(node, (database) => {
    const tables = database.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%'").pluck().all();
    const counted = tables.map((name) => [
      String(name),
      Number(
        database
          .prepare(`select count(*) from "${String(name)}"`)
          .pluck()
          .get(),
      ),
    ]);
    return Object.fromEntries(counted.filter(([, count]) => Number(count) > 500));
  });

it(
  `strangers of every kind for ${MINUTES} minutes use up little of the node`,
  async () => {
    const { id: request } = await node.operator.requests.create({
      requestId: randomUUID(),
      accountId: (await node.operator.accounts.list({})).items.find(({ walletAddress }) => walletAddress === honest.shop)?.id ?? '',
      amount: 500n,
    });
    // Without a peer nobody elsewhere can pay, and pretended payers would be told so at once.
    await TestPeer.of(node);
    const pausedPeer = await TestPeer.of(node);
    await node.operator.peers.pause({ id: pausedPeer.id });
    await payFor(5_000);
    honest.takeLatencies();
    const start = disk();
    const quiet = await new Windows().pay(QUIET_MS);
    const quietDisk = disk() - start;

    const [before, beforeRows, entry] = [disk(), rows(), await lastEntry()];
    crowd = await Crowd.gather({
      ...{ publicUrl: node.publicUrl, shop: honest.shop, request },
      pausedPeer: { endpoint: pausedPeer.endpoint, token: pausedPeer.token },
    });
    const watching = keys.watch();
    const serving = unknown.serve();
    const attacked = await new Windows().pay(MINUTES * 60_000);
    const { samples } = attacked;
    keys.stop();
    const afterlives = await watching;
    await unknown.stop();
    await serving;
    const customers = unknown.takeLatencies();
    const { tallies, mostAsked } = await crowd.disperse();
    const [most, grown, hour] = [memory('VmHWM'), (samples.at(-1)?.disk ?? 0) - before, diskInAnHour(before, samples)];
    const foreign = await foreignRows([request], entry);
    // The machine may have become busier or idler since the beginning.
    honest.takeLatencies();
    await quiet.pay(QUIET_MS);

    console.info(
      [
        `memory: at most ${mb(most)}, ${mb(samples[Math.floor(samples.length / 2)]?.memory ?? 0)} after half the time`,
        `disk: ${mb(grown)} in ${MINUTES} minutes, ${mb(hour)} in an hour that goes on like the second half`,
        `disk while quiet: ${mb((quietDisk / QUIET_MS) * HOUR_MS)} in an hour, for the honest client alone`,
        `honest, quiet: ${quiet.requests} requests, p50 ${quiet.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)} ms`,
        `honest, attacked: ${attacked.requests} requests, p50 ${attacked.p50.toFixed(1)} ms, p99 ${attacked.p99.toFixed(1)} ms`,
        `p99 under attack: ${(attacked.p99 / quiet.p99).toFixed(1)} times that of the quiet node`,
        `honest requests that failed: ${JSON.stringify(honest.failures)}`,
        `unknown wallet, attacked: ${customers.requests} requests, p50 ${customers.p50.toFixed(1)} ms, p99 ${customers.p99.toFixed(1)} ms`,
        `unknown wallet's requests that failed: ${JSON.stringify(unknown.failures)}`,
        `revoked keys: ${afterlives.map(({ seconds, dead }) => `${dead ? 'dead' : 'not dead yet'} after ${seconds} s`).join(', ')}`,
        `requests to the server that was asked the most: ${mostAsked}`,
        `questions at name servers: ${nameServers.askedInVain} in vain, ${nameServers.answered} answered`,
        `in the operator's lists: ${JSON.stringify(foreign)}`,
        `rows before: ${JSON.stringify(beforeRows)}`,
        `rows after: ${JSON.stringify(rows())}`,
        ...Object.entries(tallies).map(([kind, tally]) => `${kind}: ${JSON.stringify(tally)}`),
      ].join('\n'),
    );

    expect(node.isRunning).toBe(true);
    expect.soft(most, 'memory').toBeLessThan(MOST_MEMORY);
    expect.soft(hour, 'disk in an hour').toBeLessThan(MOST_DISK_AN_HOUR);
    expect.soft(foreign, 'rows in the lists of the operator').toEqual({ payments: 0, approvals: 0, apps: 0, requests: 0, activity: 0 });
    expect.soft(attacked.p99, 'p99 of the honest client').toBeLessThan(Math.max(MOST_SLOWER * quiet.p99, LEAST_P99_MS));
    expect.soft(afterlives.length, 'revoked keys').toBeGreaterThan(0);
    expect.soft(mostAsked, 'requests to one server').toBeLessThan(MOST_ASKED_A_SECOND * MINUTES * 60);
    expect
      .soft(
        afterlives.filter(({ seconds }) => seconds > MOST_AFTERLIFE_SECONDS),
        'revoked keys that lived on',
      )
      .toEqual([]);
    expect.soft(nameServers.askedInVain, 'names asked for in vain').toBeGreaterThan(0);
    expect.soft(nameServers.answered, 'names of clients').toBeGreaterThan(0);
    expect.soft(honest.failures, 'refused honest requests').toEqual({});
    expect.soft(customers.requests, "the unknown wallet's requests").toBeGreaterThanOrEqual(MINUTES * 8);
    expect.soft(unknown.failures, "the unknown wallet's refused requests").toEqual({});
    expect.soft(readBooks(node, contradictions)).toEqual([]);
  },
  (MINUTES + 20) * 60_000,
);
