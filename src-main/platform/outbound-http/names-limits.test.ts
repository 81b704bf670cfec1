import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ManualClock } from '../clock.ts';
import { HostNames } from './names.ts';

const NEVER = new AbortController().signal;

/** What the name servers do, and what they were asked. */
const servers = vi.hoisted(() => ({ silent: false, asked: [] as string[], cancelled: 0, onAsk: () => {} }));

vi.mock('node:dns/promises', () => ({
  Resolver: class {
    readonly #gone = Promise.withResolvers<never>();
    setServers(): void {}
    cancel(): void {
      servers.cancelled += 1;
      this.#gone.reject(new Error('cancelled'));
    }
    async resolve4(name: string): Promise<{ address: string; ttl: number }[]> {
      servers.asked.push(name);
      servers.onAsk();
      return servers.silent ? await this.#gone.promise : [{ address: '192.0.2.1', ttl: 60 }];
    }
    async resolve6(): Promise<never> {
      throw servers.silent ? await this.#gone.promise : new Error('there is none');
    }
  },
}));

let names: HostNames;
beforeEach(() => {
  Object.assign(servers, { silent: false, asked: [], cancelled: 0, onAsk: () => {} });
  names = new HostNames({ clock: new ManualClock(0), hostsFile: '/nowhere/hosts' });
});
afterEach(() => {
  vi.useRealTimers();
});

it('a look-up gives up after two seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked = new Promise<void>((resolve) => {
    servers.onAsk = resolve;
  });
  servers.silent = true;
  let ended = false;
  const lookUp = names.lookUp('silent.example', NEVER).finally(() => {
    ended = true;
  });
  const refused = expect(lookUp).rejects.toThrow('cancelled');
  await asked;
  await vi.advanceTimersByTimeAsync(1_999);
  expect([ended, servers.cancelled]).toEqual([false, 0]);
  await vi.advanceTimersByTimeAsync(1);
  await refused;
  expect(servers.cancelled).toBe(1);
  expect(vi.getTimerCount()).toBe(0);
});

it('a look-up is cancelled at the name servers when the last who wanted it has gone, and not before', async () => {
  const asked = new Promise<void>((resolve) => {
    servers.onAsk = resolve;
  });
  servers.silent = true;
  const [one, two] = [new AbortController(), new AbortController()];
  const [first, second] = [one, two].map(({ signal }) => names.lookUp('silent.example', signal).catch(() => 'gone'));
  await asked;
  one.abort();
  expect([await first, servers.cancelled]).toEqual(['gone', 0]);
  two.abort();
  expect([await second, servers.cancelled]).toEqual(['gone', 1]);
});

it('a thousand answers are kept, and the oldest goes first', async () => {
  for (let n = 0; n <= 1_000; n++) await names.lookUp(`wallet-${n}.example`, NEVER);
  servers.asked = [];
  for (const n of [1_000, 500, 1]) await names.lookUp(`wallet-${n}.example`, NEVER);
  expect(servers.asked).toEqual([]);
  await names.lookUp('wallet-0.example', NEVER);
  expect(servers.asked).toEqual(['wallet-0.example']);
});
