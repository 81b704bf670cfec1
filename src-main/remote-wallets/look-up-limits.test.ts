import { createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ManualClock } from '../platform/clock.ts';
import { FAILURE_MS, RecentFailures, Turnstile, WAITING_PER_CLIENT } from './look-up-limits.ts';
import { FakeWallet, openRemoteWallets } from './testing/wallets.ts';

const NEVER = new AbortController().signal;

describe('a turnstile', () => {
  it('lets some in, makes some wait in order, and turns away the rest', async () => {
    const turnstile = new Turnstile({ atOnce: 2, waiting: 2 });
    const inside: string[] = [];
    const leave = new Map<string, () => void>();
    const come = async (name: string): Promise<void> => {
      const out = await turnstile.enter('key', NEVER);
      if (out === undefined) return;
      inside.push(name);
      leave.set(name, out);
    };
    const coming = ['a', 'b', 'c', 'd', 'e'].map(come);
    await coming[4];
    expect(inside).toEqual(['a', 'b']);
    // Two leave in the same moment. Anyone who comes then is behind those who waited.
    leave.get('b')?.();
    leave.get('a')?.();
    coming.push(come('f'));
    await Promise.all(coming.slice(0, 5));
    expect(inside).toEqual(['a', 'b', 'c', 'd']);
    leave.get('d')?.();
    await coming[5];
    expect(inside).toEqual(['a', 'b', 'c', 'd', 'f']);
  });

  it('never turns away a look-up that must not fail, and lets it go first', async () => {
    const turnstile = new Turnstile({ atOnce: 1, waiting: 1 });
    const went: string[] = [];
    const pass = async (name: string, persistent: boolean): Promise<void> => {
      const leave = await turnstile.enter('key', NEVER, persistent);
      went.push(leave === undefined ? `${name} turned away` : name);
      leave?.();
    };
    const leave = await turnstile.enter('key', NEVER);
    const passing = [pass('a', false), pass('b', true), pass('c', false), pass('d', true)];
    leave?.();
    await Promise.all(passing);
    expect(went).toEqual(['c turned away', 'b', 'd', 'a']);
  });

  it('counts each key for itself, and keeps nothing of those who have left', async () => {
    const turnstile = new Turnstile({ atOnce: 1, waiting: 0 });
    for (let i = 0; i < 3; i++) {
      const [one, two] = [await turnstile.enter('one', NEVER), await turnstile.enter('two', NEVER)];
      expect([one, two, await turnstile.enter('one', NEVER)]).toEqual([expect.any(Function), expect.any(Function), undefined]);
      one?.();
      two?.();
    }
  });

  it('forgets a look-up that gave up waiting', async () => {
    const turnstile = new Turnstile({ atOnce: 1, waiting: 1 });
    const leave = await turnstile.enter('key', NEVER);
    const patience = new AbortController();
    const waiting = turnstile.enter('key', patience.signal);
    patience.abort();
    expect(await waiting).toBeUndefined();
    expect(await turnstile.enter('key', patience.signal)).toBeUndefined();
    leave?.();
    expect(await turnstile.enter('key', NEVER)).toBeInstanceOf(Function);
  });
});

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
  });
  afterEach(async () => {
    for (const answer of held) answer();
    await remote.close();
    await wallet.close();
  });

  const hold = (id: string): string => {
    wallet.answers.set(`GET /incoming-payments/${id}`, (_, response) => {
      held.push(() => response.writeHead(404).end());
    });
    return `${wallet.origin}/incoming-payments/${id}`;
  };
  const get = (url: string, client: string | null) => remote.incomingPayments.get(url, { client, walletAddressId: 'alice' });
  /** Waits until the wallet has been asked so many times. */
  const asked = async (times: number): Promise<void> => {
    while (wallet.asked.length < times) await turn();
  };

  it('are made two at a time for a client, whose next ones wait until there are too many', async () => {
    const looking = Array.from({ length: 2 + WAITING_PER_CLIENT }, (_, i) => get(hold(String(i)), 'shop'));
    expect(await get(hold('more'), 'shop')).toEqual({ ok: false, error: 'receiver_busy' });
    await asked(2);
    const other = get(hold('other'), 'other');
    await asked(3);
    expect(wallet.asked).toEqual(['GET /incoming-payments/0', 'GET /incoming-payments/1', 'GET /incoming-payments/other'].sort());
    for (let answered = 0; answered < looking.length + 1; answered++) {
      await asked(Math.min(answered + 1, looking.length + 1));
      while (held.length === 0) await turn();
      // At most two look-ups of one client are under way, and the other client's.
      expect(held.length).toBeLessThanOrEqual(3);
      held.shift()?.();
    }
    for (const found of await Promise.all([...looking, other])) expect(found).toEqual({ ok: false, error: 'unknown_receiver' });
  });

  it('are made eight at a time at a host, however many clients want them', async () => {
    const looking = Array.from({ length: 20 }, (_, i) => get(hold(String(i)), `client ${i}`));
    await asked(8);
    for (let answered = 0; answered < 20; answered++) {
      await asked(Math.min(20, answered + 8));
      while (held.length === 0) await turn();
      expect(held.length).toBeLessThanOrEqual(8);
      held.shift()?.();
    }
    await Promise.all(looking);
    expect(wallet.asked).toHaveLength(20);
  });

  it('wait for their turn when their payment was accepted, and ask again what failed just before', async () => {
    const url = hold('0');
    const persist = () => remote.incomingPayments.get(url, { client: 'shop', walletAddressId: 'alice', persistent: true });
    const paying = Array.from({ length: 20 }, persist);
    for (let answered = 0; answered < 20; answered++) {
      while (held.length === 0) await turn();
      expect(held.length).toBeLessThanOrEqual(2);
      held.shift()?.();
    }
    expect(new Set((await Promise.all(paying)).map((found) => (found.ok ? 'found' : found.error)))).toEqual(new Set(['unknown_receiver']));
    expect(wallet.asked).toHaveLength(20);
    expect(await get(url, 'shop')).toEqual({ ok: false, error: 'unknown_receiver' });
    expect(wallet.asked).toHaveLength(20);
  });

  it('leave their place when their time is up, and are not tried again for half a minute', async () => {
    await remote.close();
    remote = openRemoteWallets({ waitMs: 60_000, totalMs: 1_000 });
    const url = hold('slow');
    for (let i = 0; i < 4; i++) expect(await get(url, 'shop')).toEqual({ ok: false, error: 'receiver_unreachable' });
    expect(wallet.asked).toHaveLength(1);
    remote.clock.advance(FAILURE_MS);
    for (const id of ['1', '2', '3']) expect(await get(hold(id), 'shop')).toEqual({ ok: false, error: 'receiver_unreachable' });
    expect(wallet.asked).toHaveLength(4);
  });

  it('do not wait longer than their limit', async () => {
    await remote.close();
    remote = openRemoteWallets({ waitMs: 50, totalMs: 60_000 });
    const looking = ['0', '1'].map((id) => get(hold(id), 'shop'));
    expect(await get(hold('2'), 'shop')).toEqual({ ok: false, error: 'receiver_busy' });
    await asked(2);
    while (held.length < 2) await turn();
    for (const answer of held.splice(0)) answer();
    await Promise.all(looking);
    expect(wallet.asked).toHaveLength(2);
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
