import { randomUUID } from 'node:crypto';
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src-shared/operator-contract/contract.ts';
import { refuse } from '../platform/result.ts';
import { type Client, type Desk, openDesk } from './testing/desk.ts';

/** How many inputs each operation gets. PAYDESK_FUZZED_CALLS sets another number. */
const CALLS = Number(process.env.PAYDESK_FUZZED_CALLS ?? 200);
const SEED = Number(process.env.PAYDESK_TEST_SEED ?? 20_261_122);

const ODD: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  Number.NaN,
  -1n,
  2n ** 64n,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '__proto__',
  "'; drop table accounts; --",
  '../../etc/passwd',
  'x'.repeat(5_000),
  [],
  {},
  [[[[]]]],
  new Date(Number.NaN),
  new Date(8.64e15),
  new Map([['a', 1]]),
  new Set([1]),
  new Uint8Array(3),
  { toString: 1, length: -1 },
  { constructor: { prototype: 1 } },
];
const PLAUSIBLE: readonly unknown[] = [
  randomUUID(),
  'till',
  'EUR',
  2,
  20,
  1n,
  100n,
  'in',
  new Date(0),
  '22:00',
  'https://shop.example/till',
  true,
];

/** The contents of messages that are almost calls. */
const PAYLOADS: readonly unknown[] = [
  undefined,
  null,
  [],
  {},
  { u: 'x' },
  { u: 7 },
  { u: '//' },
  { u: '/node/info' },
  { u: '/nowhere/at/all' },
  { u: '/node/info', h: { a: 1 } },
  { u: '/node/info', m: 'TRACE', h: { 'content-type': 'text/html' }, b: 'x' },
  { u: '/accounts/create', b: { json: [], meta: [[99, 'x']] } },
  { u: '/accounts/create', b: 'no json' },
  { e: 'message' },
  { e: 'message', d: { json: 1 } },
  { e: 'error' },
  { e: 'done' },
];

/** Choices that a seed repeats (mulberry32). */
function choices(seed: number) {
  let state = seed | 0;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    chance: (probability: number) => random() < probability,
    of: (list: readonly unknown[]) => list[Math.floor(random() * list.length)],
  };
}

/** The names of the members of an operation's input. Input with these names passes more than the first check. */
function inputNames(operation: unknown): string[] {
  const definition = (operation as { '~orpc'?: { inputSchema?: { def?: { shape?: object } } } })['~orpc'];
  return Object.keys(definition?.inputSchema?.def?.shape ?? {});
}

const OPERATIONS = Object.entries(contract).flatMap(([section, operations]) => flat(section, operations));

function flat(path: string, value: object): [string, unknown][] {
  return '~orpc' in value ? [[path, value]] : Object.entries(value).flatMap(([name, inner]) => flat(`${path}.${name}`, inner));
}

let desk: Desk;
let client: Client;
let port: MessagePort;

beforeAll(() => {
  desk = openDesk();
  const nothing = async () => refuse('not_found' as const);
  // Calls that reach the access wing are answered there as if what they name did not exist.
  const { access } = desk.context;
  const { tiers } = access;
  const { listApprovals, getApproval, listGrants, getGrant } = access.views;
  desk.context.access = {
    tiers,
    approvals: { approve: async () => refuse({ code: 'not_found' }), deny: nothing },
    views: {
      ...{ listApprovals, getApproval, listGrants, getGrant },
      revokeGrant: nothing,
      revokeAllOf: async () => 0,
      revokeSeveral: async () => 0,
      allowAgain: async () => false,
      listFrozen: async () => [],
      countFrozen: async () => 0,
    },
    tokens: { rotateByOperator: nothing, revokeByOperator: nothing },
    clientKeys: { ...access.clientKeys, add: async () => refuse('invalid_key'), revoke: nothing },
  };
  const { port1, port2 } = new MessageChannel();
  desk.api.servePort(port2);
  port1.start();
  port2.start();
  port = port1;
  client = createORPCClient<Client>(new RPCLink({ port: port1 }));
});
afterAll(async () => {
  port.close();
  await desk.close();
});

describe(`malformed IPC arguments: the bridge to the window, with seed ${SEED}`, () => {
  it.each(OPERATIONS)(`answers ${CALLS} malformed calls of %s with an error code`, { timeout: 300_000 }, async (path, operation) => {
    const { chance, of } = choices(SEED);
    const names = inputNames(operation);
    const call = path.split('.').reduce<unknown>((at, name) => Reflect.get(at as object, name), client) as (
      input: unknown,
      options: { signal: AbortSignal },
    ) => Promise<unknown>;
    const make = () =>
      names.length > 0 && chance(0.8)
        ? Object.fromEntries(names.filter(() => chance(0.9)).map((name) => [name, of(chance(0.6) ? PLAUSIBLE : ODD)]))
        : of(ODD);
    const codes = new Set<string>();
    for (let done = 0; done < CALLS; done += 25) {
      const answers = await Promise.all(
        Array.from({ length: Math.min(25, CALLS - done) }, async () => {
          const over = new AbortController();
          try {
            await call(make(), { signal: over.signal });
            return 'OK';
          } catch (error) {
            return error instanceof ORPCError ? error.code : `not answered: ${String(error)}`;
          } finally {
            // The test closes a stream that a call has opened.
            over.abort();
          }
        }),
      );
      for (const code of answers) codes.add(code);
    }
    expect([...codes].filter((code) => code === 'INTERNAL_SERVER_ERROR' || code.startsWith('not answered'))).toEqual([]);
    expect((await client.node.info()).host).toBe('headless');
  });

  it('goes on after messages that are not calls', async () => {
    const { chance, of } = choices(SEED);
    for (let sent = 0; sent < CALLS; sent += 1) {
      const parts = { i: of([String(sent), 7, null]), t: of([undefined, 1, 2, 3, 4, -1, 'x']), p: of(PAYLOADS) };
      const message = chance(0.3) ? of(ODD) : JSON.stringify(parts);
      try {
        port.postMessage(message);
      } catch {
        // The page cannot send what cannot be cloned.
      }
    }
    expect((await client.node.info()).host).toBe('headless');
  });
});
