import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MOST_PAGES } from './payment-history.ts';
import { FakeWallet, openRemoteWallets, telling } from './testing/wallets.ts';

const RECEIVER = 'https://shop.example/incoming-payments/1';
const SINCE = Date.UTC(2026, 0, 1);

let wallet: FakeWallet;
let node: ReturnType<typeof openRemoteWallets>;
beforeEach(async () => {
  wallet = await new FakeWallet().open();
  node = openRemoteWallets();
});
afterEach(async () => {
  await wallet.close();
  await node.close();
});

const usd = (value: string) => ({ value, assetCode: 'USD', assetScale: 2 });
const payment = (more: Record<string, unknown> = {}) => ({
  ...{ id: `${wallet.origin}/outgoing-payments/1`, walletAddress: `${wallet.origin}/ann`, receiver: RECEIVER, failed: false },
  ...{ debitAmount: usd('500'), receiveAmount: usd('500'), sentAmount: usd('500'), createdAt: '2026-01-02T00:00:00Z' },
  ...more,
});
const page = (result: unknown[], endCursor?: string) => ({ pagination: { hasNextPage: endCursor !== undefined, endCursor }, result });
const listed = (size = 20, cursor?: string) =>
  `GET /outgoing-payments?wallet-address=${encodeURIComponent(`${wallet.origin}/ann`)}&first=${size}${cursor === undefined ? '' : `&cursor=${cursor}`} signed`;
const find = () =>
  node.history.paidTo({
    walletAddress: {
      ...{ id: `${wallet.origin}/ann`, assetCode: 'USD', assetScale: 2 },
      ...{ authServer: `${wallet.origin}/auth`, resourceServer: wallet.origin },
    },
    ...{ walletAddressId: 'shop', token: 'secret', receivers: [RECEIVER, 'https://former.example/incoming-payments/1'], since: SINCE },
  });
const found = async () => {
  const answer = await find();
  return answer.ok ? answer.value.map(({ id }) => id.split('/').at(-1)) : answer.error;
};

describe('the payments of another wallet', () => {
  it('are looked through for those to one receiver, page by page, with the newest first', async () => {
    wallet.answers.set(listed(), page([payment({ receiver: 'https://shop.example/incoming-payments/2' })], 'x'));
    wallet.answers.set(listed(20, 'x'), page([payment({ id: `${wallet.origin}/outgoing-payments/7` }), payment()]));
    expect(await found()).toEqual(['7', '1']);
    expect(wallet.asked).toEqual([listed(), listed(20, 'x')]);
  });

  it.each([
    ['a slash at the end', `${RECEIVER}/`],
    ['a query', `${RECEIVER}?x`],
    ['a fragment', `${RECEIVER}#1`],
    ['capital letters', 'https://SHOP.example/incoming-payments/1'],
    ['a port', 'https://shop.example:443/incoming-payments/1'],
    ['dots', 'https://shop.example/x/../incoming-payments/1'],
    ['an escaped letter', 'https://shop.example/incoming-payments/%31'],
    ['a user', 'https://shop.example@wallet.example/incoming-payments/1'],
    ['http', 'http://shop.example/incoming-payments/1'],
    ['another host', 'https://shop.example.evil.example/incoming-payments/1'],
  ])('are none of the receiver when its URL has %s', async (_, receiver) => {
    wallet.answers.set(listed(), page([payment({ receiver })]));
    expect(await found()).toEqual([]);
  });

  it.each([
    ['have failed', { failed: true }],
    ['have sent nothing', { sentAmount: usd('0') }],
    ['are of another wallet address', { walletAddress: 'https://wallet.example/bob' }],
    ['lie at another server', { id: 'https://other.example/outgoing-payments/1' }],
    ['are nonsense', { receiveAmount: { value: '-1', assetCode: 'USD', assetScale: 2 } }],
  ])('do not count when they %s', async (_, more) => {
    wallet.answers.set(listed(), page([payment(more), 'nonsense', null]));
    expect(await found()).toEqual([]);
  });

  it('count once, also under a former address of this node', async () => {
    const former = payment({ id: `${wallet.origin}/outgoing-payments/2`, receiver: 'https://former.example/incoming-payments/1' });
    wallet.answers.set(listed(), page([payment(), payment(), former], 'x'));
    wallet.answers.set(listed(20, 'x'), page([payment()]));
    expect(await found()).toEqual(['1', '2']);
  });

  it('are read for a number of pages at most, and no page twice', async () => {
    let pages = 0;
    const endless = (_: unknown, response: Parameters<ReturnType<typeof telling>>[1]) => {
      pages += 1;
      telling(200, page([payment({ receiver: 'https://x.example/' })], `c${pages}`))(_ as never, response);
    };
    wallet.answers.set(listed(), endless);
    for (let n = 1; n <= MOST_PAGES + 5; n += 1) wallet.answers.set(listed(20, `c${n}`), endless);
    expect(await found()).toEqual([]);
    expect(pages).toBe(MOST_PAGES);
    wallet.answers.set(listed(), page([], 'same'));
    wallet.answers.set(listed(20, 'same'), page([], 'same'));
    wallet.asked.length = 0;
    expect(await found()).toEqual([]);
    expect(wallet.asked).toHaveLength(2);
  });

  it('are not read further back than the payment is old', async () => {
    wallet.answers.set(listed(), page([payment({ createdAt: '2025-12-30T00:00:00Z', receiver: 'https://x.example/' })], 'x'));
    expect(await found()).toEqual([]);
    expect(wallet.asked).toHaveLength(1);
  });

  it('are asked for in smaller pages when a page is too large, and given up when one alone is', async () => {
    const huge = page([payment({ metadata: { text: 'x'.repeat(70_000) } })]);
    wallet.answers.set(listed(), huge);
    wallet.answers.set(listed(4), page([payment()]));
    expect(await found()).toEqual(['1']);
    wallet.answers.set(listed(4), huge);
    wallet.answers.set(listed(1), huge);
    expect(await found()).toBe('unreachable');
  });

  it.each([
    ['refuses', telling(403), 'refused'],
    ['does not know the token', telling(401), 'refused'],
    ['fails', telling(500), 'unreachable'],
    [
      'leads elsewhere',
      (_: unknown, response: { writeHead: (status: number, headers: object) => { end: () => void } }) =>
        response.writeHead(302, { location: '/x' }).end(),
      'unreachable',
    ],
    ['answers with something else', telling(200, { result: [] }), 'unreachable'],
  ])('are unknown when the wallet %s', async (_, answer, problem) => {
    wallet.answers.set(listed(), answer as never);
    expect(await found()).toBe(problem);
  });
});
