import { afterAll, beforeAll, it } from 'vitest';
import { DyingNode } from '../support/nodes/dying-node.ts';
import { RateServer } from '../support/other-nodes/rate-server.ts';
import { DyingReader } from '../support/stories/rates.ts';

// A source tells new rates, and the node is killed while it reads them, or while the operator confirms a jump.

/** How often the node is killed while rates change. */
const KILLS = Number(process.env.PAYDESK_TEST_RATE_KILLS ?? 3);
const LONG = Math.max(5, KILLS) * 60_000;

let dying: DyingNode;
let server: RateServer;
let reader: DyingReader;

beforeAll(async () => {
  server = await RateServer.start();
  dying = await DyingNode.start('rates');
  reader = await DyingReader.start(dying, server);
});
afterAll(async () => {
  await dying.stop();
  await server.stop();
});

it('all rates of a source change together, or none does, whenever the node is killed', () => reader.expectTogether(KILLS), LONG);

it('a jump is confirmed, or still waits, whenever the node is killed', () => reader.expectConfirmed(KILLS), LONG);
