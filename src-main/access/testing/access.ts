import { createHash, generateKeyPairSync } from 'node:crypto';
import { type Clock, ManualClock } from '../../platform/clock.ts';
import { openTestDatabase, type TestDatabase } from '../../platform/database/testing/test-database.ts';
import { PublicUrls } from '../../platform/public-address/public-urls.ts';
import { refuse } from '../../platform/result.ts';
import type { NodeSecrets } from '../../platform/secrets/node-secrets.ts';
import type { WalletAddress, WalletAddresses } from '../../wallet-addresses/wallet-addresses.ts';
import type { ClientJwk } from '../client-keys/client-key.ts';
import { ClientIdentities } from '../clients/client-identity.ts';
import type { Client, ClientKeys } from '../clients/clients.ts';
import { SignatureGate } from '../clients/signature-gate.ts';
import type { CostOf } from '../grants/approval-requests.ts';
import { Approvals } from '../grants/approvals.ts';
import { Continuations } from '../grants/continuations.ts';
import { type GrantRequest, Grants } from '../grants/grants.ts';
import { Interactions } from '../grants/interactions.ts';
import { OperatorViews } from '../grants/operator-views.ts';
import type { WireAccess } from '../rights/wire-access.ts';
import { AccessTokens } from '../tokens/access-tokens.ts';
import { Authenticator } from '../tokens/authenticate.ts';
import { RetrySeals } from '../tokens/retry-seals.ts';

export const TEST_ORIGIN = 'http://127.0.0.1:3000';
const TEST_TOKEN_LIFETIME = 600;

const testSecrets: NodeSecrets = {
  stream: Buffer.alloc(32, 1),
  derive: (purpose) => createHash('sha256').update(`test ${purpose}`).digest(),
};

interface TestAccessOptions {
  clock?: Clock;
  /** A database that another wing uses as well. */
  testDatabase?: TestDatabase;
  origin?: string;
  keys?: ClientKeys;
  /** The documents of other wallets, by URL. */
  documents?: Record<string, unknown>;
  /** Whether each write job runs twice. Tests of speed, and tests that count jobs, turn it off. */
  rehearse?: boolean;
}

/** The whole access wing over a database of its own, unless told otherwise, with alice (USD/2) and bob (EUR/2). */
export function openTestAccess(options: TestAccessOptions = {}) {
  const { clock = new ManualClock(Date.UTC(2026, 0, 1)), origin = TEST_ORIGIN, documents = {} } = options;
  const { database, dispose } = options.testDatabase ?? openTestDatabase({ rehearse: options.rehearse ?? true });
  const urls = new PublicUrls(origin, ['http://former.example']);
  const accounts: WalletAddress[] = [
    {
      id: '11111111-1111-4111-8111-111111111111',
      name: 'alice',
      publicName: 'Alice',
      assetCode: 'USD',
      assetScale: 2,
      createdAt: 0,
    },
    { id: '22222222-2222-4222-8222-222222222222', name: 'bob', publicName: 'Bob', assetCode: 'EUR', assetScale: 2, createdAt: 0 },
  ];
  const walletAddresses: Pick<WalletAddresses, 'byUrl' | 'urlOf'> = {
    urlOf: ({ name }) => urls.walletAddress(name),
    byUrl: async (url) => {
      const own = urls.parse(url);
      return own?.kind === 'wallet-address' ? accounts.find(({ name }) => name === own.name) : undefined;
    },
  };
  const keys = options.keys ?? { find: async () => refuse('unknown_key' as const) };
  const gate = new SignatureGate({ database, clock, keys });
  const seals = new RetrySeals(testSecrets);
  const tokens = new AccessTokens({ database, clock, seals, settings: { lifetimeSeconds: TEST_TOKEN_LIFETIME } });
  const identities = new ClientIdentities({ urls, walletAddresses, documents: { read: async (url) => documents[url] } });
  const continuations = new Continuations({ database, clock, tokens, secrets: testSecrets });
  const payments = new Map<string, number>();
  const used = new Map<string, number>();
  const uses = { note: (id: string) => void used.set(id, clock.now()), lastOf: ({ id }: { id: string }) => used.get(id) ?? null };
  // A euro costs half a dollar. Nothing else can be exchanged.
  const costOf: CostOf = async ({ value, assetCode }, payer) =>
    assetCode === payer.assetCode ? value : assetCode === 'EUR' ? value / 2n : undefined;
  return {
    database,
    dispose,
    clock,
    urls,
    gate,
    tokens,
    identities,
    continuations,
    payments,
    grants: new Grants({ database, clock, walletAddresses, identities, tokens, seals }),
    interactions: new Interactions({ database, clock, continuations }),
    approvals: new Approvals({ database, clock, walletAddresses }),
    uses,
    views: new OperatorViews({
      database,
      clock,
      walletAddresses,
      countPayments: async () => payments,
      costOf,
      payeeOf: async () => undefined,
      uses,
    }),
    authenticator: new Authenticator({ database, clock, gate, urls, uses }),
  };
}

export type TestAccess = ReturnType<typeof openTestAccess>;

/** A client whose wallet address is on this node, so that the node reads its name without HTTP. */
export const testClient = (name = 'bob', origin = TEST_ORIGIN): Client => ({
  kind: 'wallet-address',
  id: `${origin}/${name}`,
  walletAddress: `${origin}/${name}`,
});

/** Makes a new key in the form in which its client publishes it. */
export function testJwk(kid = 'key-1'): ClientJwk {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  return { kid, kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', x: String(x) };
}

export const FINISH = { uri: 'https://shop.example/back?session=7', nonce: 'client-nonce' };

/** The right to send at most 10.00 USD from alice. */
export const payingAccess = (limits: object = { debitAmount: { value: '1000', assetCode: 'USD', assetScale: 2 } }): WireAccess[] => [
  { type: 'outgoing-payment', actions: ['create', 'read'], identifier: `${TEST_ORIGIN}/alice`, limits },
];

export const grantRequest = (change: Partial<GrantRequest> = {}): GrantRequest => ({
  client: testClient(),
  access: payingAccess(),
  subject: undefined,
  interact: { finish: FINISH },
  endpoint: `${TEST_ORIGIN}/auth`,
  ...change,
});
