import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../src-shared/operator-contract/accounts.ts';
import { contradictions, readBooks } from '../support/books/books.ts';
import { allEnded } from '../support/books/endings.ts';
import { ClientWallet } from '../support/clients/client-wallet.ts';
import { receivingToken, spendingToken } from '../support/clients/flows.ts';
import { type Answer, prepare, prepareAs, signerOf, transmit } from '../support/clients/raw-client.ts';
import { RunningNode } from '../support/nodes/running-node.ts';

// Amounts at their edges, in every member that takes one (decisions.md#D-12): what is only stated may use all unsigned
// 64 bits, what moves may not be above 2^63−1, and nothing else than canonical decimals is an amount.

const MOVED = 2n ** 63n - 1n;
const STATED = 2n ** 64n - 1n;
const FORMLESS = [String(STATED + 1n), '-1', '+1', '1e3', '01', '', '1.0', ' 1', '0x1', '１', '-0', '00', '9'.repeat(100)];
const TYPELESS = [1, 0, null, true, ['1'], { value: '1' }];

let node: RunningNode;
let client: ClientWallet;
/** An account with everything an account can hold, and an empty one of the same asset. */
let rich: Account;
let empty: Account;
let receiving: string;
let spending: string;

const eur = (value: unknown) => ({ value, assetCode: 'EUR', assetScale: 9 });

async function createAccount(name: string, openingBalance: bigint): Promise<Account> {
  const asset = { assetCode: 'EUR', assetScale: 9 };
  return await node.operator.accounts.create({ requestId: randomUUID(), name, publicName: name, ...asset, openingBalance });
}
const limits = (value: bigint) => ({ debitAmount: eur(String(value)) as ReturnType<typeof eur> & { value: string } });

beforeAll(async () => {
  [node, client] = await Promise.all([RunningNode.start(), ClientWallet.start()]);
  [rich, empty] = [await createAccount('rich', MOVED), await createAccount('empty', 0n)];
  receiving = await receivingToken(node, client);
  spending = (await spendingToken(node, client, rich.walletAddress, limits(STATED))).value;
});
afterAll(async () => {
  await client.stop();
  expect(await node.stop()).toBe(0);
});

const post = (path: string, token: string, body: object) => transmit(prepare(client, 'POST', `${node.publicUrl}/${path}`, token, body));
const bodyOf = <T>({ text }: Answer): T => JSON.parse(text) as T;
const outcome = ({ status, text }: Answer): string =>
  status < 400 ? String(status) : `${status} ${(JSON.parse(text) as { error: { code: string } }).error.code}`;
const invoice = async (value?: bigint): Promise<string> => {
  const amount = value === undefined ? {} : { incomingAmount: eur(String(value)) };
  return bodyOf<{ id: string }>(await post('incoming-payments', receiving, { walletAddress: empty.walletAddress, ...amount })).id;
};
const balanceOf = async ({ id }: Account): Promise<bigint> => (await node.operator.accounts.get({ id })).balance;

/** Asks to pay with a limit, and cancels the request again, because at most three of one client may wait. */
async function askWithLimit(limit: object): Promise<Answer> {
  const access = [{ type: 'outgoing-payment', actions: ['create'], identifier: rich.walletAddress, limits: limit }];
  const body = JSON.stringify({ client: client.url, access_token: { access }, interact: { start: ['redirect'] } });
  const answer = await transmit(prepareAs(signerOf(client), { method: 'POST', url: `${node.publicUrl}/auth`, body }));
  if (answer.status !== 200) return answer;
  const { continue: next } = bodyOf<{ continue: { uri: string; access_token: { value: string } } }>(answer);
  const ended = await transmit(prepare(client, 'DELETE', next.uri, next.access_token.value));
  expect(ended.status).toBe(204);
  return answer;
}

let open: string;
beforeAll(async () => {
  open = await invoice();
});

/** Every member that takes an amount: how it is sent, and how the node answers its edges. */
const MEMBERS: Record<string, { send: (amount: object) => Promise<Answer>; zero: string; one: string; moved: string; stated: string }> = {
  'incomingAmount of an incoming payment': {
    send: (incomingAmount) => post('incoming-payments', receiving, { walletAddress: empty.walletAddress, incomingAmount }),
    zero: '400 invalid_amount',
    one: '201',
    moved: '201',
    stated: '201',
  },
  'debitAmount of a quote': {
    send: (debitAmount) => post('quotes', spending, { walletAddress: rich.walletAddress, receiver: open, method: 'ilp', debitAmount }),
    zero: '400 invalid_amount',
    one: '201',
    moved: '201',
    stated: '400 amount_too_large',
  },
  'receiveAmount of a quote': {
    send: (receiveAmount) => post('quotes', spending, { walletAddress: rich.walletAddress, receiver: open, method: 'ilp', receiveAmount }),
    zero: '400 invalid_amount',
    one: '201',
    moved: '201',
    stated: '400 amount_too_large',
  },
  'debitAmount of an outgoing payment': {
    send: async (debitAmount) =>
      post('outgoing-payments', spending, { walletAddress: rich.walletAddress, incomingPayment: await invoice(), debitAmount }),
    zero: '400 invalid_amount',
    one: '201',
    // The account holds one unit less by now.
    moved: '403 insufficient_balance',
    stated: '400 amount_too_large',
  },
  'debitAmount of a limit': { send: (debitAmount) => askWithLimit({ debitAmount }), zero: '200', one: '200', moved: '200', stated: '200' },
  'receiveAmount of a limit': {
    send: (receiveAmount) => askWithLimit({ receiveAmount }),
    zero: '200',
    one: '200',
    moved: '200',
    stated: '200',
  },
};

describe.each(Object.keys(MEMBERS))('the %s', (name) => {
  const member = MEMBERS[name];
  if (member === undefined) throw new Error('no such member');

  it('takes every amount it may take', async () => {
    const edges: [bigint, string][] = [
      [0n, member.zero],
      [1n, member.one],
      [MOVED, member.moved],
      [MOVED + 1n, member.stated],
      [STATED, member.stated],
    ];
    for (const [value, expected] of edges) {
      const answer = await member.send(eur(String(value)));
      expect([value, outcome(answer)], answer.text).toEqual([value, expected]);
      if (answer.status === 201) expect(answer.text).toContain(`{"value":"${value}","assetCode":"EUR","assetScale":9}`);
    }
  });

  it('takes no other amount', async () => {
    const wrong = [
      ...[...FORMLESS, ...TYPELESS].map(eur),
      { ...eur('1'), assetScale: '9' },
      { ...eur('1'), assetScale: 256 },
      { ...eur('1'), assetScale: 1.5 },
      { ...eur('1'), assetCode: '' },
      { ...eur('1'), more: 1 },
      { value: '1' },
      {},
    ];
    for (const amount of wrong) {
      const answer = await member.send(amount);
      expect([amount, outcome(answer)]).toEqual([amount, '400 invalid_request']);
    }
    for (const amount of [
      { ...eur('1'), assetCode: 'USD' },
      { ...eur('1'), assetScale: 2 },
    ]) {
      const expected = name === 'debitAmount of a limit' ? '400 invalid_request' : '400 invalid_amount';
      const isFree = name === 'receiveAmount of a limit';
      expect([amount, outcome(await member.send(amount))]).toEqual([amount, isFree ? '200' : expected]);
    }
  });
});

describe('the largest payment', () => {
  const pay = (incomingPayment: string, value: bigint) =>
    post('outgoing-payments', spending, {
      walletAddress: rich.walletAddress,
      incomingPayment,
      debitAmount: eur(String(value)),
      metadata: { n: randomUUID() },
    });
  /** Sends everything back to the first account. */
  const giveBack = async () => {
    const amount = await balanceOf(empty);
    await node.operator.accounts.withdraw({ id: empty.id, requestId: randomUUID(), amount, note: '' });
    await node.operator.accounts.deposit({ id: rich.id, requestId: randomUUID(), amount, note: '' });
  };

  it('moves 2^63−1 units exactly, to the last unit, and counts them twice in a limit of 2^64−1', async () => {
    await allEnded(node);
    await giveBack();
    expect(await balanceOf(rich)).toBe(MOVED);
    spending = (await spendingToken(node, client, rich.walletAddress, limits(STATED))).value;
    for (let times = 1n; times <= 2n; times += 1n) {
      const made = await pay(await invoice(STATED), MOVED);
      expect(outcome(made), made.text).toBe('201');
      expect(bodyOf(made)).toMatchObject({
        debitAmount: eur(String(MOVED)),
        grantSpentDebitAmount: eur(String(MOVED * times)),
        grantSpentReceiveAmount: eur(String(MOVED * times)),
      });
      await allEnded(node);
      expect([await balanceOf(rich), await balanceOf(empty)]).toEqual([0n, MOVED]);
      await giveBack();
    }
    expect(outcome(await pay(await invoice(), 2n))).toBe('403 limit_exceeded');
    const last = await pay(await invoice(1n), 1n);
    expect(bodyOf(last)).toMatchObject({ grantSpentDebitAmount: eur(String(STATED)) });
  });

  it('does not fit where 2^63−1 units have arrived already, and nothing is lost', async () => {
    await allEnded(node);
    await giveBack();
    spending = (await spendingToken(node, client, rich.walletAddress, limits(STATED))).value;
    const receiver = await invoice();
    expect(outcome(await pay(receiver, MOVED))).toBe('201');
    await allEnded(node);
    await giveBack();
    expect(outcome(await pay(receiver, 5n))).toBe('400 invalid_amount');
    await allEnded(node);
    expect((await balanceOf(rich)) + (await balanceOf(empty))).toBe(MOVED);
    expect(readBooks(node, contradictions)).toEqual([]);
  });
});

it('the test leaves books without contradictions', () => {
  expect(readBooks(node, contradictions)).toEqual([]);
});
