import { createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/clock.ts';
import { FAILURE_MS, LOOK_UPS, RecentFailures } from './look-up-limits.ts';
import { FakeWallet, openRemoteWallets, telling } from './testing/wallets.ts';

describe('failures', () => {
  it('are remembered for half a minute, up to a thousand of them', () => {
    const clock = new ManualClock(0);
    const failures = new RecentFailures<string>(clock);
    for (let i = 0; i < 1_001; i++) failures.remember(String(i), 'gone');
    expect([failures.get('0'), failures.get('1'), failures.get('1000')]).toEqual([undefined, 'gone', 'gone']);
    clock.advance(FAILURE_MS - 1);
    expect(failures.get('1')).toBe('gone');
    clock.advance(1);
    expect(failures.get('1')).toBeUndefined();
  });

  it('are remembered for no longer when the clock was ahead and is put right', () => {
    const clock = new ManualClock(0);
    const failures = new RecentFailures<string>(clock);
    clock.jump(2 * 3_600_000);
    failures.remember('wallet', 'gone');
    clock.jump(-2 * 3_600_000);
    clock.advance(FAILURE_MS);
    expect(failures.get('wallet')).toBeUndefined();
  });
});

describe('look-ups at other wallets', () => {
  let wallet: FakeWallet;
  let remote: ReturnType<typeof openRemoteWallets>;
  /** Requests that the wallet has not answered yet. Calling one answers it. */
  let held: (() => void)[];

  beforeEach(async () => {
    wallet = await new FakeWallet().open();
    remote = openRemoteWallets();
    held = [];
    wallet.answers.set('POST /auth', { access_token: { value: 't', manage: `${wallet.origin}/auth/token/1` } });
  });
  afterEach(async () => {
    for (const answer of held) answer();
    await remote.close();
    await wallet.close();
  });

  /**
   * Lets the wallet wait before it answers for a payment: with the payment, or that there is none. Each payment lies at
   * a place of its own, so that each look-up takes all steps.
   */
  const hold = (id: string, there = true): string => {
    const path = `/${id}/incoming-payments/1`;
    wallet.answers.set(`GET ${path}`, (request, response) => {
      const answer = there ? telling(200, { authServer: `${wallet.origin}/auth` }) : telling(404);
      held.push(() => answer(request, response));
    });
    const receivedAmount = { value: '0', assetCode: 'EUR', assetScale: 2 };
    wallet.answers.set(`GET ${path} signed`, { id: wallet.origin + path, walletAddress: wallet.origin, receivedAmount, methods: [] });
    return wallet.origin + path;
  };
  const get = (url: string, client: string | null) => remote.incomingPayments.get(url, { client, walletAddressId: 'alice' });
  /** Waits until the wallet has been asked so many times. */
  const asked = async (times: number): Promise<void> => {
    while (looksAt().length < times) await turn();
  };
  /** What the look-ups began with, in order. */
  const looksAt = (): string[] => wallet.asked.filter((one) => /^GET \S+$/.test(one));

  /** Answers whatever is asked, until all the look-ups have ended. */
  const answerAll = async (looking: Promise<unknown>[], most: number): Promise<void> => {
    let left = looking.length;
    for (const one of looking) void one.finally(() => left--);
    while (left > 0) {
      expect(held.length).toBeLessThanOrEqual(most);
      held.shift()?.();
      await turn();
    }
  };

  it('wait for their turn when a client wants many at once, and none is refused', async () => {
    const looking = Array.from({ length: 100 }, (_, i) => get(hold(String(i)), 'https://shop.example/till'));
    await asked(LOOK_UPS.perCaller);
    await answerAll(looking, LOOK_UPS.perCaller);
    expect(new Set((await Promise.all(looking)).map((found) => (found.ok ? 'found' : found.error)))).toEqual(new Set(['found']));
    expect(looksAt()).toHaveLength(100);
  });

  it('of one client do not keep another waiting, whatever names the first gives itself', async () => {
    const greedy = Array.from({ length: 100 }, (_, i) => get(hold(`greedy-${i}`), `https://${i}.greedy.example/`));
    await asked(LOOK_UPS.perCaller);
    const other = get(hold('other'), 'https://shop.example/till');
    await asked(LOOK_UPS.perCaller + 1);
    expect(looksAt().at(-1)).toBe('GET /other/incoming-payments/1');
    await answerAll([...greedy, other], LOOK_UPS.perCaller + 1);
  });

  it('are limited at each wallet, however many clients want them', async () => {
    const looking = Array.from({ length: 3 * LOOK_UPS.perTarget }, (_, i) => get(hold(String(i)), `https://shop-${i}.example/`));
    await asked(LOOK_UPS.perTarget);
    await answerAll(looking, LOOK_UPS.perTarget);
    expect(looksAt()).toHaveLength(3 * LOOK_UPS.perTarget);
  });

  it('have places of their own when their payment was accepted, and ask again what failed just before', async () => {
    const url = hold('0', false);
    const until = remote.clock.now() + 60_000;
    const pay = () => remote.incomingPayments.get(url, { client: 'shop', walletAddressId: 'alice', until });
    const pricing = Array.from({ length: 100 }, (_, i) => get(hold(`price-${i}`), 'https://shop.example/till'));
    await asked(LOOK_UPS.perCaller);
    const paying = Array.from({ length: 20 }, pay);
    await asked(LOOK_UPS.perCaller + 20);
    expect(wallet.count('GET /0/incoming-payments/1')).toBe(20);
    await answerAll([...pricing, ...paying], LOOK_UPS.perCaller + 20);
    const sofar = looksAt().length;
    const again = pay();
    await asked(sofar + 1);
    await answerAll([again], 1);
    expect(await get(url, 'shop')).toEqual({ ok: false, error: 'unknown_receiver' });
    expect(looksAt()).toHaveLength(sofar + 1);
  });

  it('are not made for a payment whose deadline has come', async () => {
    const until = remote.clock.now();
    expect(await remote.incomingPayments.get(hold('0'), { client: 'shop', walletAddressId: 'alice', until })).toEqual({
      ok: false,
      error: 'receiver_unreachable',
    });
    expect(wallet.asked).toEqual([]);
  });

  it('leave their place when their time is up, which is not held against the receiver', async () => {
    await remote.close();
    remote = openRemoteWallets({ waitMs: 60_000, totalMs: 300 });
    const url = hold('slow');
    for (let i = 1; i <= 3; i++) {
      expect(await get(url, 'shop')).toEqual({ ok: false, error: 'receiver_unreachable' });
      expect(wallet.asked).toHaveLength(i);
    }
  });

  it('do not wait longer than their limit', async () => {
    await remote.close();
    remote = openRemoteWallets({ waitMs: 200, totalMs: 60_000 });
    const looking = Array.from({ length: LOOK_UPS.perCaller }, (_, i) => get(hold(String(i)), 'shop'));
    expect(await get(hold('more'), 'shop')).toEqual({ ok: false, error: 'receiver_busy' });
    await asked(LOOK_UPS.perCaller);
    while (held.length < LOOK_UPS.perCaller) await turn();
    for (const answer of held.splice(0)) answer();
    await Promise.all(looking);
    expect(looksAt()).toHaveLength(LOOK_UPS.perCaller);
  });

  it('are refused for all payments of a host that has just taken no connection', async () => {
    let connections = 0;
    const port = await new Promise<number>((resolve) => {
      const server = createServer((socket) => {
        connections += 1;
        socket.destroy();
      }).listen(0, '127.0.0.1', () => {
        const address = server.address();
        resolve(address === null || typeof address === 'string' ? 0 : address.port);
        server.unref();
      });
    });
    const url = (id: number) => `http://127.0.0.1:${port}/incoming-payments/${id}`;
    for (let i = 0; i < 5; i++) expect(await get(url(i), 'shop')).toEqual({ ok: false, error: 'receiver_unreachable' });
    expect(connections).toBe(1);
    remote.clock.advance(FAILURE_MS);
    await get(url(0), null);
    expect(connections).toBe(2);
  });

  it('say the same of a host that is not there and of one to which the node does not talk', async () => {
    const answers = [];
    for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '127.0.0.1:9', 'nowhere.invalid']) {
      answers.push(await get(`http://${host}/incoming-payments/1`, 'shop'));
    }
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set([JSON.stringify({ ok: false, error: 'receiver_unreachable' })]),
    );
  });
});
