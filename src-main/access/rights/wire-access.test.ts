import { describe, expect, test } from 'vitest';
import { parseAccess, WireAccessList } from './wire-access.ts';

const identifier = 'https://pay.example/alice';
const paying = (limits: unknown, more: object = {}) => [{ type: 'outgoing-payment', actions: ['create'], identifier, limits, ...more }];
const debit = (value: unknown) => paying({ debitAmount: { value, assetCode: 'USD', assetScale: 2 } });

describe('an amount in a limit', () => {
  test.each(['0', '1', '9223372036854775807', '18446744073709551615'])('can be %s', (value) => {
    expect(parseAccess(WireAccessList.parse(debit(value)))[0]?.limits?.debitAmount?.value).toBe(BigInt(value));
  });

  test.each(['18446744073709551616', '-1', '+1', '1e3', '01', '', ' 1', '1.0', '0x1', 1, null])('cannot be %j', (value) => {
    expect(WireAccessList.safeParse(debit(value)).success).toBe(false);
  });
});

test.each<[string, unknown]>([
  ['nothing', []],
  ['four items', ['create', 'read', 'read-all', 'list'].map((action) => ({ type: 'incoming-payment', actions: [action] }))],
  ['the same item twice', [paying({})[0], paying({})[0]]],
  ['another type', [{ type: 'account', actions: ['read'] }]],
  ['another action', [{ type: 'incoming-payment', actions: ['delete'] }]],
  ['an action of another type', [{ type: 'quote', actions: ['list'] }]],
  ['completing an outgoing payment', [{ type: 'outgoing-payment', actions: ['complete'], identifier }]],
  ['no action', [{ type: 'quote', actions: [] }]],
  ['an action twice', [{ type: 'quote', actions: ['read', 'read'] }]],
  ['paying from anywhere', [{ type: 'outgoing-payment', actions: ['create'] }]],
  ['null for what is absent', [{ type: 'quote', actions: ['read'], identifier: null }]],
  ['another member', paying({}, { locations: ['https://x.example'] })],
  ['limits where none belong', [{ type: 'incoming-payment', actions: ['create'], limits: {} }]],
  ['another limit', paying({ perDay: 1 })],
  ['a receiver that is no incoming payment', paying({ receiver: 'https://shop.example/pay/1' })],
  ['an asset that cannot be shown', paying({ receiveAmount: { value: '1', assetCode: 'us dollars', assetScale: 2 } })],
  ['a scale that cannot be shown', paying({ receiveAmount: { value: '1', assetCode: 'USD', assetScale: 19 } })],
  ['an interval without a time zone', paying({ interval: 'R/2026-01-01T00:00:00/P1M' })],
  ['an interval of nothing', paying({ interval: 'R/2026-01-01T00:00:00Z/P0D' })],
  ['an identifier that is no URL', [{ type: 'quote', actions: ['read'], identifier: 'alice' }]],
])('an access list with %s is refused', (_, access) => {
  expect(WireAccessList.safeParse(access).success).toBe(false);
});

test('the stored access has the meaning of the access that was asked for', () => {
  const limits = {
    receiver: 'https://shop.example/incoming-payments/1',
    interval: 'R/2026-01-01T00:00:00Z/P1M',
    debitAmount: { value: '5', assetCode: 'USD', assetScale: 2 },
    receiveAmount: { value: '4', assetCode: 'EUR', assetScale: 2 },
  };
  expect(parseAccess(WireAccessList.parse(paying(limits)))).toEqual([
    {
      type: 'outgoing-payment',
      actions: ['create'],
      identifier,
      limits: { ...limits, debitAmount: { ...limits.debitAmount, value: 5n }, receiveAmount: { ...limits.receiveAmount, value: 4n } },
    },
  ]);
});
