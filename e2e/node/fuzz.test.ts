import { execFileSync } from 'node:child_process';
import { Agent } from 'node:http';
import { isFinalizedGrantWithAccessToken } from '@interledger/open-payments';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testKey } from '../../src-main/access/http-signatures/testing/signed-requests.ts';
import { contradictions, fingerprints, readBooks, unfinished } from '../support/books/books.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount, receivingToken, spendingToken, usd } from '../support/clients/flows.ts';
import { prepare, signerOf, transmit } from '../support/clients/raw-client.ts';
import type { Scene } from '../support/fuzz/bodies.ts';
import { type Cast, type FuzzCase, fuzzCase } from '../support/fuzz/cases.ts';
import { blurt, brokenRequest, exchange, type WireAnswer } from '../support/fuzz/wire.ts';
import { RunningNode } from '../support/nodes/running-node.ts';
import { Dice } from '../support/seeded.ts';

// Requests of every kind, right and wrong, to every endpoint of the public API, faster than any shop would see them:
// the node answers each, does what it says and nothing else. A failure names the seed and the number of its request.

const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_122);
const REQUESTS = Number(process.env.PAYDESK_TEST_REQUESTS ?? 6_000);
/** The first tenth is refused altogether, so that nothing at all may change. */
const REFUSED = Math.floor(REQUESTS / 10);
const CONCURRENCY = 16;
const BROKEN = 0.02;
const OPENING = 1_000_000_000n;
const LEAKS = /SQLITE|sqlite|node_modules|\.js:\d|\.ts:\d|\bat [\w.]+ \(|\/home\/|\/tmp\/|drizzle|ECONN|ENOENT/;

let node: RunningNode;
let client: ClientWallet;
let stranger: ClientWallet;
let origin: URL;
let scene: Scene;
let cast: Cast;
const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });

beforeAll(async () => {
  const flags = ['--token-lifetime', '86400', '--log-level', 'warn', '--address-rate', '0', '--client-rate', '0'];
  [node, client, stranger] = await Promise.all([RunningNode.start({ flags }), ClientWallet.start(), ClientWallet.start('Stranger')]);
  const [shop, buyer] = [await createAccount(node, 'shop', 0n), await createAccount(node, 'buyer', OPENING)];
  const receiving = await receivingToken(node, client);
  const { value: spending } = await spendingToken(node, client, buyer.walletAddress, { debitAmount: usd('1000000000') });
  const reading = await stranger.sdk.grant.request(
    { url: `${node.publicUrl}/auth` },
    { access_token: { access: [{ type: 'quote', actions: ['read'] }] } },
  );
  if (!isFinalizedGrantWithAccessToken(reading)) throw new Error('no token for the stranger');
  origin = new URL(node.publicUrl);
  const post = async (path: string, token: string, body: object, by = client) => {
    const { status, text } = await transmit(prepare(by, 'POST', `${node.publicUrl}/${path}`, token, body));
    if (status !== 201) throw new Error(text);
    return (JSON.parse(text) as { id: string }).id;
  };
  const open = await post('incoming-payments', receiving, { walletAddress: shop.walletAddress });
  const price = { walletAddress: buyer.walletAddress, receiver: open, method: 'ilp', debitAmount: usd('5') };
  const direct = { walletAddress: buyer.walletAddress, incomingPayment: open, debitAmount: usd('5') };
  const foreign = await post('incoming-payments', await receivingToken(node, stranger), { walletAddress: shop.walletAddress }, stranger);
  scene = {
    publicUrl: node.publicUrl,
    client: client.url,
    stranger: stranger.url,
    shop: shop.walletAddress,
    buyer: buyer.walletAddress,
    incoming: [open],
    foreignIncoming: [foreign],
    quotes: [await post('quotes', spending, price)],
    outgoing: [await post('outgoing-payments', spending, direct)],
  };
  cast = {
    client: signerOf(client),
    stranger: signerOf(stranger),
    imposter: await testKey(client.keyId),
    receiving,
    spending,
    foreign: reading.access_token.value,
    issued: [],
  };
});
afterAll(async () => {
  agent.destroy();
  await Promise.all([client.stop(), stranger.stop()]);
  await node.stop();
});

/** What answers said was stored, to be held against what was. */
const stored = {
  incoming: new Set<string>(),
  outgoing: new Set<string>(),
  direct: new Set<string>(),
  quotes: new Set<string>(),
  completed: new Set<string>(),
  grants: new Set<string>(),
};
const tally = { answers: 0, byStatus: new Map<number, number>(), reached: new Map<string, number>() };

/** Learns from an answer what there is to be named in later requests, and what must be found in the books. */
function learn(made: FuzzCase, { status, text }: WireAnswer): void {
  if (status >= 300 || text === '' || !text.startsWith('{')) return;
  const body = JSON.parse(text) as {
    id?: string;
    access_token?: { value: string; manage: string };
    continue?: { uri: string; access_token: { value: string } };
  };
  const keep = (list: string[], id: string) =>
    list.length < 200 ? list.push(id) : list.splice(Number.parseInt(id.slice(-2), 16) % 200, 1, id);
  if (status === 201 && body.id !== undefined) {
    const [, kind] = new URL(body.id).pathname.split('/');
    if (kind === 'incoming-payments') stored.incoming.add(body.id) && keep(scene.incoming, body.id);
    if (kind === 'quotes') stored.quotes.add(body.id) && keep(scene.quotes, body.id);
    if (kind === 'outgoing-payments') stored.outgoing.add(body.id) && keep(scene.outgoing, body.id);
    if (kind === 'outgoing-payments' && made.body?.includes('"debitAmount"')) stored.direct.add(body.id);
  }
  if (status === 200 && made.method === 'POST' && body.id !== undefined) stored.completed.add(body.id);
  if (status === 200 && body.continue && !made.target.includes('continue')) {
    // A copy of a grant request gets the grant of the first.
    stored.grants.add(body.continue.uri);
    if (body.access_token && cast.issued.length < 500) {
      const { access_token, continue: next } = body;
      cast.issued.push({ ...access_token, continueUri: next.uri, continueToken: next.access_token.value });
    }
  }
}

/** What is wrong with an answer. It is undefined when nothing is. */
function complaint(made: FuzzCase, { status, headers, text, broken }: WireAnswer): string | undefined {
  if (status >= 500) return 'the node failed';
  // The node refuses headers that are too large before it has read them to the end. It closes the connection and never
  // looks at the method.
  const isTooLarge = Object.values(made.headers).some((value) => value.length > 16_000);
  if (status === 0) return isTooLarge ? undefined : (broken ?? 'no answer');
  if (LEAKS.test(text)) return 'the answer tells too much';
  if (made.mustFail && status < 400) return 'it was not refused';
  if (made.proof !== 'right' && status < 300 && !['GET', 'HEAD', 'OPTIONS'].includes(made.method)) return 'an effect without right';
  // Node itself refuses expectations it does not know, before there is a request.
  if (status === 417) return undefined;
  if (headers['x-request-id'] === undefined) return 'no request id';
  // A request that accepts pages gets a page also where there is nothing.
  const readsPages = made.endpoint === 'open a page' || made.headers.accept?.includes('text/html') === true;
  const isPage = String(headers['content-type']).startsWith('text/html') && readsPages;
  if (status < 400 || made.method === 'HEAD' || isPage) return undefined;
  const { error } = JSON.parse(text) as { error?: { code?: unknown; description?: unknown } };
  return typeof error?.code === 'string' && typeof error.description === 'string' ? undefined : 'a refusal without words';
}

const problems: string[] = [];

async function run(first: number, last: number, only?: 'refused'): Promise<void> {
  let next = first;
  const worker = async () => {
    while (next < last && problems.length < 10) {
      const index = next;
      next += 1;
      const dice = new Dice(SEED ^ index);
      if (dice.chance(BROKEN)) {
        const { status } = await blurt(origin, brokenRequest(dice));
        if (status >= 500) problems.push(`request ${index}: a broken one made the node fail with ${status}`);
        tally.answers += 1;
        continue;
      }
      const made = fuzzCase(SEED, index, scene, cast, only);
      const answer = await exchange(origin, agent, made);
      tally.answers += 1;
      tally.byStatus.set(answer.status, (tally.byStatus.get(answer.status) ?? 0) + 1);
      if (answer.status < 300 && made.mustFail === false) tally.reached.set(made.endpoint, (tally.reached.get(made.endpoint) ?? 0) + 1);
      const wrong = complaint(made, answer);
      if (wrong !== undefined) {
        const { body, ...shown } = made;
        problems.push(
          `request ${index}: ${wrong} (${answer.status} ${answer.text.slice(0, 300)}) ${JSON.stringify(shown).slice(0, 1_500)} ${body?.toString().slice(0, 500)}`,
        );
      }
      learn(made, answer);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  expect(problems, `seed ${SEED}`).toEqual([]);
}

const allEnded = async () => {
  while (readBooks(node, unfinished) > 0) await new Promise((resolve) => setTimeout(resolve, 25));
};
const count = (table: string): number =>
  Number(readBooks(node, (database) => database.prepare(`select count(*) from ${table}`).pluck().get()));
const counts = () => ({
  incoming: count('incoming_payments'),
  outgoing: count('outgoing_payments'),
  quotes: count('quotes'),
  grants: count('grants'),
});
/** Resident memory of the node, in MiB. */
const memory = (): number => Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(node.pid)], { encoding: 'utf8' })) / 1_024);

it(`the node answers ${REQUESTS} requests of seed ${SEED}`, async () => {
  console.info(`seed ${SEED}: set PAYDESK_TEST_SEED to see the same requests again`);
  await allEnded();
  const untouched = readBooks(node, fingerprints);
  await run(0, REFUSED, 'refused');
  expect(readBooks(node, fingerprints)).toEqual(untouched);

  const before = counts();
  const footprint: number[] = [];
  const step = Math.ceil((REQUESTS - REFUSED) / 4);
  for (let from = REFUSED; from < REQUESTS; from += step) {
    await run(from, Math.min(REQUESTS, from + step));
    footprint.push(memory());
  }
  expect(node.isRunning).toBe(true);
  await allEnded();

  expect(counts()).toEqual({
    incoming: before.incoming + stored.incoming.size,
    outgoing: before.outgoing + stored.outgoing.size,
    quotes: before.quotes + stored.quotes.size + stored.direct.size,
    grants: before.grants + stored.grants.size,
  });
  // When a payment is completed without its full amount, a client completed it and was told so.
  const early =
    'select id from incoming_payments where completed = 1 and (incoming_amount is null or received < cast(incoming_amount as integer))';
  const ended = readBooks(node, (database) => database.prepare(early).pluck().all().map(String));
  const told = new Set([...stored.completed].map((url) => url.split('/').at(-1)));
  expect(ended.filter((id) => !told.has(id))).toEqual([]);
  expect(readBooks(node, contradictions)).toEqual([]);

  // Most requests were not turned away at the door, and every endpoint also did what it is for.
  console.info(Object.fromEntries(tally.byStatus), Object.fromEntries(tally.reached), `memory in MiB: ${footprint.join(', ')}`);
  expect(tally.answers).toBe(REQUESTS);
  expect([...tally.reached.keys()].sort()).toEqual(
    expect.arrayContaining(['create incoming', 'create quote', 'pay a quote', 'pay directly', 'rotate a token', 'cancel a grant']),
  );
  // The node grows to its working size in the first quarters and then stays there, apart from what the garbage
  // collector leaves for later.
  const [, warm = 0, , last = 0] = footprint;
  expect(last - warm, 'memory that is not given back').toBeLessThan(160);
  expect(last).toBeLessThan(400);
});
