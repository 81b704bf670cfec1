import { expect, it } from 'vitest';
import { assetCall, newToken, peerVariables } from './rafiki-calls.ts';

const USD = { assetCode: 'USD', assetScale: 2 };
const self = {
  ilpAddress: 'private.node',
  endpoint: 'https://pay.example/ilp',
  addresses: [
    { assetCode: 'EUR', assetScale: 2, ilpAddress: 'private.node.EUR-2' },
    { ...USD, ilpAddress: 'private.node.USD-2' },
  ],
};
const peer = {
  ...{ ...USD, assetId: 'its id', name: 'My shop', self, tokens: { ours: 'sent by us', theirs: 'sent by them' } },
  ...{ debtLimit: 5_000n, maxPacketAmount: null, isFurther: false },
};

it('Rafiki is told the address of the currency, both tokens, and what this node may owe', () => {
  expect(JSON.parse(peerVariables(peer))).toEqual({
    input: {
      ...{ assetId: 'its id', name: 'My shop', staticIlpAddress: 'private.node.USD-2', routes: ['private.node'] },
      http: {
        incoming: { authTokens: ['sent by us'] },
        outgoing: { endpoint: 'https://pay.example/ilp', authToken: 'sent by them' },
      },
      initialLiquidity: '5000',
    },
  });
});

it('only the first peer for this node leads to its own address, and limits are said where there are some', () => {
  const { input } = JSON.parse(peerVariables({ ...peer, isFurther: true, debtLimit: null, maxPacketAmount: 100n }));
  expect(input).not.toHaveProperty('routes');
  expect(input).not.toHaveProperty('initialLiquidity');
  expect(input.maxPacketAmount).toBe('100');
});

it('no name of a currency ends the text of a call early', () => {
  expect(assetCall({ assetCode: 'A"', assetScale: 2 })).toContain(String.raw`code: "A\"", scale: 2`);
});

it('two tokens differ, and are long enough', () => {
  expect(newToken()).toMatch(/^[0-9a-f]{64}$/);
  expect(newToken()).not.toBe(newToken());
});
