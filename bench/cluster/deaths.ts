import { setTimeout as pause } from 'node:timers/promises';
import { ClientWallet } from '../../e2e/support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../../e2e/support/clients/flows.ts';
import { prepare, transmit } from '../../e2e/support/clients/raw-client.ts';
import { Cluster, type Replica } from '../../e2e/support/nodes/cluster.ts';
import { testServer } from '../../src-main/platform/database/testing/postgres-server.ts';
import { type Goal, ms, type Row } from '../support/report.ts';

/** How often a replica ends in each way. */
const DEATHS = 5;
/** The node sends it in packets of 100, so that a payment is under way for a while. */
const AMOUNT = '10000';
const PAYMENTS = 8;
/** How long the clients of the other replica are watched after a death, in milliseconds. */
const WATCHED_MS = 9_000;
const LOOK_MS = 20;
const WAITS_AT_MOST_MS = 2_500;
const GOES_ON_WITHIN_MS = 6_000;

/** What it means to die: the process is gone, or it stands still and keeps everything that it had. */
const WAYS = { killed: 'SIGKILL', frozen: 'SIGSTOP' } as const;
type Way = keyof typeof WAYS;

/**
 * What the death of a replica costs those that live: how long a request at the other one waits at most, and how long it
 * takes until the payments of the dead one go on.
 */
export async function measureDeaths(): Promise<{ rows: Row[]; goals: Goal[] }> {
  const server = await testServer();
  const none = (why: string) => ({ rows: [], goals: [{ name: "a replica's death", met: undefined, figure: why }] });
  if (server === undefined) return none('no PostgreSQL server can run here');
  const cluster = await Cluster.start(server.url);
  const client = await ClientWallet.start();
  try {
    const lives = await cluster.add('lives');
    cluster.balancer.choose(lives.port);
    const ask = await clientOf(cluster, client, lives);
    const rows: Row[] = [];
    const [waits, goesOn]: [number[], number[]] = [[], []];
    for (const way of Object.keys(WAYS) as Way[]) {
      for (let nth = 0; nth < DEATHS; nth += 1) {
        const found = await die(cluster, ask, { way, lives, dies: await cluster.add(`${way}-${nth}`) });
        waits.push(found.longestWait);
        goesOn.push(found.goesOn);
        rows.push({
          'a replica is': way,
          'the longest wait at the other': ms(found.longestWait),
          'its payments go on after': ms(found.goesOn),
        });
      }
    }
    const goal = (name: string, figures: number[], most: number): Goal => ({
      name: `${name} at most ${most} ms`,
      met: Math.max(...figures) <= most,
      figure: ms(Math.max(...figures)),
    });
    const goals = [
      goal("a replica's death: others wait", waits, WAITS_AT_MOST_MS),
      goal("a replica's death: its payments go on after", goesOn, GOES_ON_WITHIN_MS),
    ];
    return { rows, goals };
  } finally {
    await cluster.stop();
    await client.stop();
    await server.stop();
  }
}

type Ask = (to: Replica) => { invoice: () => Promise<string>; pay: () => Promise<void> };

/** A client with an account that is paid and one that pays. */
async function clientOf(cluster: Cluster, client: ClientWallet, { node }: Replica): Promise<Ask> {
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', 10n ** 9n)];
  const receiving = await receivingToken(node, client);
  const { value: spending } = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('900000000') });
  return ({ port }) => {
    const post = async (path: string, token: string, body: object): Promise<string> => {
      const request = prepare(client, 'POST', `${cluster.balancer.origin}${path}`, token, body);
      const headers = { ...request.headers, host: new URL(request.url).host };
      const { status, text } = await transmit({ ...request, headers, url: `http://127.0.0.1:${port}${path}` });
      if (status !== 201) throw new Error(`${path} was refused: ${status} ${text}`);
      return (JSON.parse(text) as { id: string }).id;
    };
    const debitAmount = usd(AMOUNT);
    const invoice = () => post('/incoming-payments', receiving, { walletAddress: shop.walletAddress, incomingAmount: debitAmount });
    const pay = async () => {
      const incomingPayment = await invoice();
      await post('/outgoing-payments', spending, { walletAddress: buyer.walletAddress, incomingPayment, debitAmount });
    };
    return { invoice, pay };
  };
}

const UNDER_WAY = "select id, attempt from outgoing_payments where state not in ('completed', 'failed')";

async function die(cluster: Cluster, ask: Ask, { way, lives, dies }: { way: Way; lives: Replica; dies: Replica }) {
  const underWay = () => cluster.rows<{ id: string; attempt: string }>(UNDER_WAY);
  const here = ask(lives);
  await Promise.all(Array.from({ length: PAYMENTS }, ask(dies).pay));
  process.kill(dies.node.pid, WAYS[way]);
  const diedAt = performance.now();
  const left = new Map((await underWay()).map(({ id, attempt }) => [id, attempt]));
  const untilTheyGoOn = async () => {
    while ((await underWay()).some(({ id, attempt }) => left.get(id) === attempt)) await pause(LOOK_MS);
    return performance.now() - diedAt;
  };
  let longestWait = 0;
  const others = async () => {
    while (performance.now() - diedAt < WATCHED_MS) {
      const asked = performance.now();
      await here.invoice();
      longestWait = Math.max(longestWait, performance.now() - asked);
    }
  };
  const [goesOn] = await Promise.all([untilTheyGoOn(), others()]);
  await dies.node.kill();
  while ((await underWay()).length > 0) await pause(LOOK_MS);
  if (left.size === 0) throw new Error('the replica died without a payment under way');
  return { longestWait, goesOn };
}
