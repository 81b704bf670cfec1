import { randomUUID } from 'node:crypto';
import { rateOf } from '../../exchange/testing/rates.ts';
import { BOB, type Case, incomingPayment } from './error-cases.ts';
import { type TestNode, Told } from './test-node.ts';

const ELSEWHERE = 'https://elsewhere.example/incoming-payments/1';
const AUTH_SERVER = 'https://elsewhere.example/auth';

/** Makes the case that asks for the price when alice pays `debit` cents to a receiver. */
type Asking = (receiver: string, debit: string) => Case;

const hourly = (node: TestNode, rate: string) => node.payments.rates.set(rateOf('USD', 'EUR', rate, node.clock.now()));

/** Adds another wallet that correctly answers for one incoming payment. */
function tellOfReceiver({ documents }: TestNode): string {
  const payment = {
    id: ELSEWHERE,
    walletAddress: 'https://elsewhere.example/shop',
    completed: false,
    receivedAmount: { value: '0', assetCode: 'EUR', assetScale: 2 },
    methods: [{ type: 'ilp', ilpAddress: 'test.far.elsewhere.token', sharedSecret: Buffer.alloc(32, 3).toString('base64url') }],
  };
  const token = { value: randomUUID(), manage: `${AUTH_SERVER}/token/1`, expires_in: 600, access: [] };
  documents.set(ELSEWHERE, { authServer: AUTH_SERVER, receivedAmount: payment.receivedAmount });
  documents.set(`POST ${AUTH_SERVER}`, new Told(200, { access_token: token }));
  documents.set(`GET ${ELSEWHERE}`, new Told(200, payment));
  return ELSEWHERE;
}

async function addPeer({ payments }: TestNode): Promise<void> {
  const added = await payments.peers.operator.registry.add({
    id: randomUUID(),
    name: 'The next node',
    assetCode: 'USD',
    assetScale: 2,
    ilpAddress: 'test.near',
    routes: ['test.far'],
    endpoint: 'https://near.example/ilp',
    outgoingToken: 'a token of sixteen'.replaceAll(' ', '-'),
    creditLimit: 0n,
    debtLimit: null,
    maxPacketAmount: null,
    deduplicates: true,
  });
  if (!added.ok) throw new Error(added.error);
}

/** The cases in which the node cannot give a price between currencies or over peers. */
export const priceCases = (asking: Asking) =>
  ({
    too_small: async (node) => {
      await hourly(node, '0.9');
      return await asking(await incomingPayment(node, { walletAddress: BOB }), '1')(node);
    },
    no_rate: async (node) => await asking(await incomingPayment(node, { walletAddress: BOB }), '500')(node),
    rate_stale: async (node) => {
      await hourly(node, '0.9');
      node.clock.advance(3_600_001);
      return await asking(await incomingPayment(node, { walletAddress: BOB }), '500')(node);
    },
    no_liquidity: async (node) => {
      await hourly(node, '0.9');
      return await asking(await incomingPayment(node, { walletAddress: BOB }), '500')(node);
    },
    no_route: async (node) => await asking(tellOfReceiver(node), '500')(node),
    route_unreachable: async (node) => {
      await addPeer(node);
      return await asking(tellOfReceiver(node), '500')(node);
    },
  }) satisfies Record<string, Case>;
