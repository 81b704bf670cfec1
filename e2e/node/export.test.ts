import { setTimeout as delay } from 'node:timers/promises';
import { isFinalizedGrantWithAccessToken } from '@interledger/open-payments';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { createAccount } from '../support/clients/flows.ts';
import { type Answer, prepare, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

const PAYMENTS = 600;
const PAGE = 10;
const EXPORTS = 4;

let node: RunningNode;
let client: ClientWallet;
let shop: Account;
beforeAll(async () => {
  [node, client] = await Promise.all([RunningNode.start({ flags: ['--log-level', 'error'] }), ClientWallet.start()]);
  shop = await createAccount(node, 'shop', 0n);
});
afterAll(async () => {
  await client.stop();
  expect(await node.stop()).toBe(0);
});

/** Reads the whole list of what apps asked for and nobody has paid, page by page. */
async function exportAll(onPage: (seen: number) => Promise<void>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await node.operator.payments.list({ unpaid: true, limit: PAGE, ...(cursor !== undefined && { cursor }) });
    ids.push(...page.items.map(({ id }) => id));
    await onPage(ids.length);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return ids;
}

it('the node refuses a revoked token on the next request, while the operator exports everything', async () => {
  const grant = await client.sdk.grant.request(
    { url: `${node.publicUrl}/auth` },
    { access_token: { access: [{ type: 'incoming-payment', actions: ['create', 'read', 'list'] }] } },
  );
  if (!isFinalizedGrantWithAccessToken(grant)) throw new Error('no token');
  const token = grant.access_token.value;
  const create = (number: number): Promise<Answer> =>
    transmit(
      prepare(client, 'POST', `${node.publicUrl}/incoming-payments`, token, { walletAddress: shop.walletAddress, metadata: { number } }),
    );
  for (let number = 0; number < PAYMENTS; number += 50) {
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => create(number + index)));
    expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  }

  // The client asks all the time. Only what it asked after the answer to the revocation counts.
  let revoked = false;
  let exporting = true;
  const before: number[] = [];
  const after: number[] = [];
  const asking = async () => {
    while (exporting) {
      const answers = revoked ? after : before;
      const { status } = await transmit(
        prepare(client, 'GET', `${node.publicUrl}/incoming-payments?wallet-address=${encodeURIComponent(shop.walletAddress)}`, token),
      );
      answers.push(status);
    }
  };

  let revoking: Promise<void> | undefined;
  const revoke = async () => {
    while (before.length === 0) await delay(5);
    const { items } = await node.operator.apps.grants({});
    await node.operator.apps.revokeToken({ id: items[0]?.tokens[0]?.id ?? '' });
    revoked = true;
    const next = await create(PAYMENTS);
    expect(next.status).toBe(401);
    expect(JSON.parse(next.text)).toMatchObject({ error: { description: 'Invalid Token' } });
  };
  const clients = [asking(), asking()];
  const exports = await Promise.all(
    Array.from({ length: EXPORTS }, () =>
      exportAll(async (seen) => {
        if (seen >= PAYMENTS / 4) revoking ??= revoke();
        // Whatever the speed of this computer, no export ends before the client was answered.
        while (seen === PAYMENTS - PAGE && after.length === 0) await delay(5);
      }),
    ),
  );
  exporting = false;
  await Promise.all([revoking, ...clients]);

  expect(new Set(before)).toContain(200);
  // A client that goes on asking is told to wait, too: 429.
  expect(after.length).toBeGreaterThan(0);
  expect(after.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  // The export misses no payment and names none twice.
  for (const ids of exports) {
    expect(ids).toHaveLength(PAYMENTS);
    expect(new Set(ids).size).toBe(PAYMENTS);
  }
});
