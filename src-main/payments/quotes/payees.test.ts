import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ok, refuse } from '../../platform/result.ts';
import type { IncomingPaymentReader } from '../../remote-wallets/remote-incoming-payments.ts';
import type { WalletDirectory } from '../../remote-wallets/wallet-directory.ts';
import type { WalletAddress } from '../../wallet-addresses/wallet-addresses.ts';
import { ORIGIN, openPayments, type Payments } from '../testing/payments.ts';
import { Payees } from './payees.ts';

const RECEIVER = 'https://wallet.example/incoming-payments/1';
const TILL = 'https://wallet.example/till';

let test: Payments;
let payer: WalletAddress;
let payees: Payees;
let asked: string[];
/** What the other wallets say. */
let says: { walletAddress: string; resourceServer: string; publicName: string | undefined };
beforeEach(async () => {
  test = openPayments();
  payer = await test.account('alice', 0n);
  asked = [];
  says = { walletAddress: TILL, resourceServer: 'https://wallet.example', publicName: 'The shop' };
  const asset = { assetCode: 'USD', assetScale: 2 };
  const remote: Pick<IncomingPaymentReader, 'get'> = {
    get: async (url, { walletAddressId }) => {
      asked.push(`${url} for ${walletAddressId === payer.id ? 'alice' : 'nobody'}`);
      return ok({ url, walletAddress: says.walletAddress, asset, received: 0n, completed: false });
    },
  };
  const directory: Pick<WalletDirectory, 'find'> = {
    find: async (id, behalf) => {
      asked.push(`${id} in ${behalf?.pool} of ${behalf?.caller}`);
      const { resourceServer, publicName } = says;
      return ok({ id, ...asset, authServer: 'https://wallet.example/auth', resourceServer, publicName });
    },
  };
  payees = new Payees({ ...test, remote, directory });
});
afterEach(() => test.close());

const learn = (receiver = RECEIVER) => payees.learn(receiver, { client: 'https://shop.example/x', payer: `${ORIGIN}/alice` });

describe('whoever is paid at a receiver elsewhere', () => {
  it('has the name and the address that the wallets say, which are asked once', async () => {
    expect(await payees.of(RECEIVER)).toBeUndefined();
    await learn();
    await learn();
    expect(await payees.of(RECEIVER)).toEqual({ receiver: RECEIVER, walletAddress: TILL, publicName: 'The shop' });
    expect(asked).toEqual([`${RECEIVER} for alice`, `${TILL} in receivers of shop.example`]);
  });

  it('may have no name', async () => {
    says.publicName = undefined;
    await learn();
    expect(await payees.of(RECEIVER)).toEqual({ receiver: RECEIVER, walletAddress: TILL, publicName: null });
  });

  it.each(['https://famous.example', 'https://wallet.example.famous.example', 'https://wallet.example/other'])(
    'is nobody whose own server, %s, is another one',
    async (resourceServer) => {
      Object.assign(says, { walletAddress: 'https://famous.example/shop', resourceServer });
      await learn();
      expect(await payees.of(RECEIVER)).toBeUndefined();
    },
  );

  it('is not looked up in the name of somebody else', async () => {
    await payees.learn(RECEIVER, { client: 'x', payer: 'https://other.example/alice' });
    expect([asked, await payees.of(RECEIVER)]).toEqual([[], undefined]);
  });

  it('is forgotten when 500 others were looked up since', async () => {
    for (let n = 1; n <= 501; n++) await learn(`https://wallet.example/incoming-payments/${n}`);
    expect(await payees.of(RECEIVER)).toBeUndefined();
    expect(await payees.of('https://wallet.example/incoming-payments/2')).toBeDefined();
  });
});

it('whoever is paid at a receiver of this node is known without a question to anybody', async () => {
  const made = await test.incomingPayments.create({ walletAddress: payer, client: null });
  const receiver = made.ok ? test.urls.incomingPayment(made.value.id) : '';
  await learn(receiver);
  expect(await payees.of(receiver)).toEqual({ receiver, walletAddress: `${ORIGIN}/alice`, publicName: 'alice' });
  expect(await payees.of(`${ORIGIN}/incoming-payments/none`)).toBeUndefined();
  expect(asked).toEqual([]);
});

it('a wallet that does not answer tells nothing', async () => {
  const silent = new Payees({
    ...test,
    remote: { get: async () => refuse('receiver_unreachable') },
    directory: { find: async () => refuse('wallet_unreachable') },
  });
  await silent.learn(RECEIVER, { client: 'x', payer: `${ORIGIN}/alice` });
  expect(await silent.of(RECEIVER)).toBeUndefined();
});
