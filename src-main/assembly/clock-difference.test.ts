import { afterEach, beforeEach, expect, it } from 'vitest';
import { healthText } from '../../src-shared/words/health.ts';
import { clockHealth } from '../operator-api/queries/health/clock-health.ts';
import { openTestNode, type TestClient, type TestNode } from './testing/test-node.ts';

const HOUR = 3_600_000;

let node: TestNode;
beforeEach(async () => {
  node = await openTestNode();
});
afterEach(() => node.close());

/** A request of a client for a grant, signed now. */
const requestOf = (client: TestClient) => {
  const access = [{ type: 'incoming-payment', actions: ['create'] }];
  return node.signed({ method: 'POST', path: '/auth', client, body: { access_token: { access }, client: client.url } });
};

/** Both clients ask for a grant while this computer's clock is ahead of theirs. */
async function ask(ahead: number, clients = [node.shop, node.other]): Promise<number[]> {
  const requests = clients.map(requestOf);
  node.clock.jump(ahead);
  const answers = await Promise.all(requests.map((request) => node.app.inject(request)));
  await node.access.gate.clocksHeard();
  return answers.map(({ statusCode }) => statusCode);
}
const trust = async () => {
  for (const { url } of [node.shop, node.other]) await node.access.tiers.choose(url, 'known');
};
const health = () => clockHealth(node).map((check) => [check.state, healthText(check)]);

it('the clients that the node trusts tell the operator that the clock is ahead, by what the node refuses', async () => {
  await trust();
  expect(await ask(2 * HOUR)).toEqual([401, 401]);
  expect(health()).toEqual([
    ['warning', expect.stringContaining('By the clocks of 2 others, the clock of this computer is 2 hours ahead.')],
  ]);
  node.clock.jump(-2 * HOUR);
  expect(await ask(0)).toEqual([200, 200]);
  expect(health()).toEqual([['good', 'The clock of this computer agrees with the clocks of 2 others.']]);
});

it('the clients that the node trusts tell the operator that the clock is behind, too', async () => {
  await trust();
  expect(await ask(-10 * 60_000)).toEqual([401, 401]);
  expect(health()).toEqual([['warning', expect.stringContaining('10 minutes behind')]]);
});

it('strangers tell nothing about the clock, and neither does a client alone', async () => {
  await ask(2 * HOUR);
  expect(health()).toEqual([]);
  await trust();
  await ask(2 * HOUR, [node.shop]);
  await ask(2 * HOUR, [node.shop]);
  expect(health()).toEqual([]);
});

it('a forged signature tells nothing about the clock', async () => {
  await trust();
  const { shop, other } = node;
  await ask(2 * HOUR, [
    { ...shop, key: other.key },
    { ...other, key: shop.key },
  ]);
  expect(health()).toEqual([]);
});

it('no refusal waits until the node knows what it tells about the clock', async () => {
  await trust();
  const keys = Promise.withResolvers<unknown>();
  node.documents.set(`${node.shop.url}/jwks.json`, keys.promise);
  const request = requestOf(node.shop);
  node.clock.jump(2 * HOUR);
  expect((await node.app.inject(request)).statusCode).toBe(401);
  keys.resolve({ keys: [] });
});
