import { afterEach, expect, it, vi } from 'vitest';
import { consent } from '../../src-shared/words/consent.ts';
import { plain } from '../../src-shared/words/words.ts';
import { ApiProblem } from '../open-payments-api/http/problems.ts';
import type { OutboundHttp } from '../platform/outbound-http/outbound-http.ts';
import { refuse } from '../platform/result.ts';
import { usd } from './testing/error-cases.ts';
import { grantOf, startGrant } from './testing/grant-steps.ts';
import { openLinkedNodes } from './testing/linked-nodes.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

const WALLET = 'https://wallet.example';

const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0)) await one();
});

/** Asks for a grant to pay this receiver only. @returns its id. */
async function askToPay(node: TestNode, receiver: string): Promise<string> {
  const limits = { receiver, debitAmount: usd('500') };
  const access = [{ type: 'outgoing-payment', actions: ['create'], identifier: `${ORIGIN}/alice`, limits }];
  const { continuation } = await startGrant(node, { access_token: { access }, interact: { start: ['redirect'] } });
  return (await grantOf(node, continuation)).id;
}
/** Whom the operator reads that the money may go to. */
const payeeOf = async ({ access }: TestNode, id: string): Promise<string> => {
  const request = await access.views.getApproval(id);
  const lines = request === undefined ? [] : consent.asked(request);
  return lines.flatMap(({ values }) => values.map((words) => plain(words))).find((text) => text.startsWith('only ')) ?? '';
};

it('the operator of a customer’s wallet reads the name of the shop at another node', async () => {
  const nodes = await openLinkedNodes();
  close.push(nodes.close);
  const { payer, payee } = nodes;
  const made = await payee.payments.incomingPayments.create({ walletAddress: payee.accounts.carol, client: null });
  const receiver = made.ok ? payee.urls.incomingPayment(made.value.id) : '';
  const id = await askToPay(payer, receiver);
  await vi.waitFor(async () => expect(await payeeOf(payer, id)).toContain('only “carol” (wallet.example/carol)'));
  // The look at the request asks nobody.
  const asked = nodes.toPayee.length;
  await payeeOf(payer, id);
  expect(nodes.toPayee).toHaveLength(asked);
});

/** A node that knows a wallet which never answers. */
async function withSilentWallet(config = {}) {
  const asked = Promise.withResolvers<void>();
  const silent: OutboundHttp = {
    getJson: () => {
      asked.resolve();
      return new Promise(() => {});
    },
    requestJson: async () => refuse('unreachable'),
    close: () => undefined,
  };
  const node = await openTestNode({ config, others: new Map([[WALLET, silent]]) });
  close.push(node.close);
  return { node, asked: asked.promise };
}

it('the app does not wait for the wallet of the receiver, whose URL the operator reads meanwhile', async () => {
  const { node } = await withSilentWallet();
  const learn = vi.spyOn(node.payments.payees, 'learn').mockReturnValue(new Promise(() => {}));
  const id = await askToPay(node, `${WALLET}/incoming-payments/1`);
  await vi.waitFor(() => expect(learn).toHaveBeenCalledOnce());
  expect(await payeeOf(node, id)).toContain('only wallet.example/incoming-payments/1');
});

it('a stranger pays for the look-up from its budgets, and without room in them there is none', async () => {
  const { node, asked } = await withSilentWallet({ clientRate: 20_000 });
  const limits = node.app.rateLimits;
  if (limits === undefined) throw new Error('the node has no limits');
  const costs = vi.spyOn(limits, 'refuseCost');
  await askToPay(node, `${WALLET}/incoming-payments/1`);
  await asked;
  expect(costs.mock.lastCall?.slice(1)).toEqual([{ outbound: 5, bytes: 16_000 }, `${WALLET}/incoming-payments/1`]);
  const learn = vi.spyOn(node.payments.payees, 'learn');
  const answered = Promise.withResolvers<void>();
  costs.mockImplementation((_request, _cost, server) => {
    if (server === undefined) return undefined;
    answered.resolve();
    return new ApiProblem('rate_limited');
  });
  await askToPay(node, `${WALLET}/incoming-payments/2`);
  await answered.promise;
  expect(learn).not.toHaveBeenCalled();
});
