import type { OperationName } from '../../../src-shared/operator-contract/contract.ts';

/** Stands where a caller puts the id of an account of its own. */
const ACCOUNT = '6f1c5a52-2f5b-4d0e-9a52-6a4c6d2f8b11';

/** A public key that anybody may know: the one of RFC 8037, appendix A.2. */
const KEY = { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', kid: 'till-1', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };

/** A body for each operation that scripts call often. The tests send each to a console as it is. */
export const OPERATION_EXAMPLES: { readonly [Name in OperationName]?: Readonly<Record<string, unknown>> } = {
  'accounts.create': {
    requestId: '0c0b8a5e-5f0e-4a53-8f43-0d3c0f1f5b01',
    name: 'shop',
    publicName: 'The shop',
    assetCode: 'USD',
    assetScale: 2,
    openingBalance: '5000',
  },
  'accounts.deposit': { requestId: '0c0b8a5e-5f0e-4a53-8f43-0d3c0f1f5b02', amount: '1250', note: 'Takings of Friday' },
  'accounts.withdraw': { requestId: '0c0b8a5e-5f0e-4a53-8f43-0d3c0f1f5b03', amount: '300', note: 'Change' },
  'accounts.keys.add': { label: 'The till', jwk: JSON.stringify(KEY) },
  'requests.create': {
    requestId: '0c0b8a5e-5f0e-4a53-8f43-0d3c0f1f5b04',
    accountId: ACCOUNT,
    amount: '1250',
    description: 'Two books',
    reference: 'INV-7',
  },
  'rates.set': {
    rate: '0.92',
    spreadBps: 50,
    source: 'The bank, this morning',
    asOf: '2026-03-14T08:00:00Z',
    maxAgeSeconds: 86_400,
  },
  'rates.fund': {
    requestId: '0c0b8a5e-5f0e-4a53-8f43-0d3c0f1f5b05',
    assetCode: 'USD',
    assetScale: 2,
    amount: '100000',
    note: 'From the bank',
  },
  'rates.withdraw': {
    requestId: '0c0b8a5e-5f0e-4a53-8f43-0d3c0f1f5b06',
    assetCode: 'USD',
    assetScale: 2,
    amount: '20000',
    note: 'To the bank',
  },
};
