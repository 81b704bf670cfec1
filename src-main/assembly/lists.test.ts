import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from '../../src-shared/zod.ts';
import { ALICE, CAROL, EVERYTHING, incomingPayment, outgoingPayment } from './testing/error-cases.ts';
import { ORIGIN, openTestNode, type TestNode } from './testing/test-node.ts';

const Page = z.strictObject({
  pagination: z.strictObject({
    startCursor: z.string().min(1).optional(),
    endCursor: z.string().min(1).optional(),
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
  }),
  result: z.array(z.looseObject({ id: z.string() })),
});
type Page = z.infer<typeof Page>;

let node: TestNode;
let token: string;
beforeEach(async () => {
  node = await openTestNode();
  token = await node.giveToken(EVERYTHING);
});
afterEach(() => node.close());

type List = '/incoming-payments' | '/outgoing-payments';
const ask = (query: Record<string, string>, list: List = '/incoming-payments', wallet = CAROL) =>
  node.call({ method: 'GET', path: `${list}?${new URLSearchParams({ ...query, 'wallet-address': wallet })}`, token });

async function page(query: Record<string, string>, list?: List, wallet?: string): Promise<Page> {
  const { status, body } = await ask(query, list, wallet);
  expect(status).toBe(200);
  return Page.parse(body);
}
const idsOf = ({ result }: Page): string[] => result.map(({ id }) => id);
const cursorOf = (url: string): string => url.split('/').at(-1) ?? '';

/** Creates payments and returns them with the newest first. */
async function make(count: number): Promise<string[]> {
  const made: string[] = [];
  for (let i = 0; i < count; i++) {
    made.unshift(await incomingPayment(node));
    node.clock.advance(1);
  }
  return made;
}

describe('a query for a list', () => {
  test.each<[string, Record<string, string>, number, string]>([
    ['first=0', { first: '0' }, 400, 'invalid_request'],
    ['first=101', { first: '101' }, 400, 'invalid_request'],
    ['first=-1', { first: '-1' }, 400, 'invalid_request'],
    ['first=1.5', { first: '1.5' }, 400, 'invalid_request'],
    ['first=', { first: '' }, 400, 'invalid_request'],
    ['first=ten', { first: 'ten' }, 400, 'invalid_request'],
    ['first=0x10', { first: '0x10' }, 400, 'invalid_request'],
    ['first=1e1', { first: '1e1' }, 400, 'invalid_request'],
    ['first with a blank', { first: ' 5' }, 400, 'invalid_request'],
    ['last=0', { last: '0', cursor: randomUUID() }, 400, 'invalid_request'],
    ['last=101', { last: '101', cursor: randomUUID() }, 400, 'invalid_request'],
    ['first and last', { first: '1', last: '1', cursor: randomUUID() }, 400, 'invalid_pagination'],
    ['last without a cursor', { last: '1' }, 400, 'invalid_pagination'],
    ['an empty cursor', { cursor: '' }, 400, 'invalid_request'],
    ['a cursor that names nothing', { cursor: randomUUID() }, 400, 'unknown_cursor'],
    ['a cursor that is no id', { cursor: "' or 1=1" }, 400, 'unknown_cursor'],
  ])('is refused with %s', async (_, query, status, code) => {
    for (const list of ['/incoming-payments', '/outgoing-payments'] as const) {
      const { body, ...answer } = await ask(query, list, ALICE);
      expect([answer.status, body]).toMatchObject([status, { error: { code } }]);
    }
  });

  test('is refused without a wallet address, or with two', async () => {
    for (const query of ['', `?wallet-address=${CAROL}&wallet-address=${ALICE}`]) {
      const { status, body } = await node.call({ method: 'GET', path: `/incoming-payments${query}`, token });
      expect([status, body]).toMatchObject([400, { error: { code: 'invalid_request' } }]);
    }
  });

  test('may have unknown parameters, which the node ignores', async () => {
    expect(idsOf(await page({ unknown: 'x' }))).toEqual([]);
  });
});

describe('pages', () => {
  test('have no cursors and nothing on either side when they are empty', async () => {
    const pagination = { hasNextPage: false, hasPreviousPage: false };
    expect(await page({})).toEqual({ pagination, result: [] });
    const [only = ''] = await make(1);
    expect(await page({ first: '5', cursor: cursorOf(only) })).toEqual({ pagination, result: [] });
    expect(await page({ last: '5', cursor: cursorOf(only) })).toEqual({ pagination, result: [] });
  });

  test('hold 20 payments unless the client asks for another number, and at most 100', async () => {
    const made = await make(101);
    expect(idsOf(await page({}))).toEqual(made.slice(0, 20));
    const hundred = await page({ first: '100' });
    expect(idsOf(hundred)).toEqual(made.slice(0, 100));
    expect(hundred.pagination).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
    expect(hundred.pagination.startCursor).toBe(cursorOf(made[0] ?? ''));
    const rest = await page({ cursor: hundred.pagination.endCursor ?? '' });
    expect(idsOf(rest)).toEqual(made.slice(100));
    expect(rest.pagination).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
  });

  test('take no cursor of another wallet address, another list, or another client', async () => {
    const others = [await incomingPayment(node, { walletAddress: ALICE }), await outgoingPayment(node)].map(cursorOf);
    await make(2);
    for (const cursor of others) expect((await ask({ cursor })).body).toMatchObject({ error: { code: 'unknown_cursor' } });
    const foreign = cursorOf(await incomingPayment(node, { walletAddress: CAROL }, node.other));
    expect((await ask({ cursor: foreign })).status).toBe(200);
    token = await node.giveToken([{ type: 'incoming-payment', actions: ['list'] }]);
    expect((await ask({ cursor: foreign })).body).toMatchObject({ error: { code: 'unknown_cursor' } });
  });

  test('go both ways for outgoing payments, too', async () => {
    const made: string[] = [];
    for (let i = 0; i < 3; i++) {
      made.unshift(await outgoingPayment(node));
      node.clock.advance(1);
    }
    const first = await page({ first: '2' }, '/outgoing-payments', ALICE);
    const second = await page({ first: '2', cursor: first.pagination.endCursor ?? '' }, '/outgoing-payments', ALICE);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(made);
    const back = await page({ last: '2', cursor: second.pagination.startCursor ?? '' }, '/outgoing-payments', ALICE);
    // The payments change in the meantime. Only their places in the list stay.
    expect(idsOf(back)).toEqual(idsOf(first));
    expect(back.pagination).toEqual({ ...first.pagination, hasNextPage: true });
  });
});

test('a client that walks forwards and back while payments are added misses and repeats none that was there', async () => {
  const step = fc.record({ size: fc.integer({ min: 1, max: 4 }), added: fc.integer({ min: 0, max: 2 }), tick: fc.boolean() });
  let wallets = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.infiniteStream(step), async (count, steps) => {
      const { name } = await node.account(`wallet-${++wallets}`, 'USD', 0n);
      const walletAddress = `${ORIGIN}/${name}`;
      const add = () => incomingPayment(node, { walletAddress });
      const walk = (query: Record<string, string>) => page(query, '/incoming-payments', walletAddress);
      // All of them have the same time, so that only the id orders them.
      for (let i = 0; i < count; i++) await add();
      const before = idsOf(await walk({ first: '100' }));
      expect(before).toHaveLength(count);
      const size = async (): Promise<string> => {
        const { value = { size: 1, added: 0, tick: false } } = steps.next();
        if (value.tick) node.clock.advance(1);
        for (let i = 0; i < value.added; i++) await add();
        return String(value.size);
      };

      const forwards: string[] = [];
      let at = await walk({ first: await size() });
      for (;;) {
        forwards.push(...idsOf(at));
        if (!at.pagination.hasNextPage) break;
        at = await walk({ first: await size(), cursor: at.pagination.endCursor ?? '' });
      }
      expect(new Set(forwards).size).toBe(forwards.length);
      expect(forwards.filter((id) => before.includes(id))).toEqual(before);

      const last = before.at(-1) ?? '';
      const backwards: string[] = [last];
      at = await walk({ last: await size(), cursor: cursorOf(last) });
      for (;;) {
        backwards.unshift(...idsOf(at));
        if (!at.pagination.hasPreviousPage) break;
        at = await walk({ last: await size(), cursor: at.pagination.startCursor ?? '' });
      }
      expect(new Set(backwards).size).toBe(backwards.length);
      expect(backwards.filter((id) => before.includes(id))).toEqual(before);
    }),
    { numRuns: 12 },
  );
});
