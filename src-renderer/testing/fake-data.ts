import type { Account, ClientKey, Movement } from '../../src-shared/operator-contract/accounts.ts';
import type { ApprovalRequest } from '../../src-shared/operator-contract/approvals.ts';
import type { AppTrust, Grant } from '../../src-shared/operator-contract/apps.ts';
import type { History } from '../../src-shared/operator-contract/node.ts';
import type { PaymentRequest } from '../../src-shared/operator-contract/payments/payment-requests.ts';
import type { PaymentDetail, PaymentStatus } from '../../src-shared/operator-contract/payments/payments.ts';
import type { Product } from '../../src-shared/operator-contract/shop/products.ts';

/** Made-up data in every state a screen has to show; development only. */

const ORIGIN = 'http://127.0.0.1:3000';
const RECEIVER = 'https://wallet.example/incoming-payments/3f9c0b0e-2f56-4a0c-b2e5-0b6f7f6d9a11';
export const START = new Date('2026-03-14T10:20:00Z');

const noRefunds = { refunded: { value: 0n, assetCode: 'USD', assetScale: 2 }, refundOf: null };

let count = 0;
export const id = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
const minutes = (n: number): Date => new Date(START.getTime() + n * 60_000);
const usd = (value: bigint) => ({ value, assetCode: 'USD', assetScale: 2 });

export const account = (
  name: string,
  publicName: string,
  assetCode: string,
  assetScale: number,
  balance: bigint,
  reserved = 0n,
): Account => ({
  id: id(),
  name,
  publicName,
  walletAddress: `${ORIGIN}/${name}`,
  assetCode,
  assetScale,
  balance,
  reserved,
  createdAt: minutes(-60 * 24 * 40),
});

export const accounts: Account[] = [
  account('bakery', 'Corner Bakery', 'USD', 2, 184_250n, 2500n),
  account('bakery-eur', 'Corner Bakery (Europe)', 'EUR', 2, 9_007_199_254_740_993n),
  account('points', 'Loyalty points', 'PTS', 0, 12_000n),
];
const main = accounts[0] ?? account('main', 'Main', 'USD', 2, 0n);

export const products: readonly Product[] = [
  {
    id: '3f8a1f0e-6d6c-4a53-8f43-0d3c0f1f5c01',
    name: 'Sourdough loaf',
    price: 590n,
    code: '4006381333931',
    colour: 'orange' as const,
    sales: 41,
  },
  { id: '3f8a1f0e-6d6c-4a53-8f43-0d3c0f1f5c02', name: 'Coffee', price: 350n, code: null, colour: 'teal' as const, sales: 12 },
].map((one) => ({ ...one, assetCode: 'USD', assetScale: 2, taxRateId: null, tax: null, needsTaxRate: false }));

const till = { id: 'https://till.example/app', host: 'till.example/app', selfAssertedName: 'Till at the door' };
const hostile = {
  id: 'https://xn--exmple-cua.test/pay',
  host: 'xn--exmple-cua.test/pay',
  selfAssertedName: `<img src=x onerror=alert(1)> \u202Eecivres knaB\u202C ${'very trustworthy '.repeat(12)}`,
};
const byKey = { id: 'jwk:kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', host: null, selfAssertedName: null };

const entry = (position: bigint, type: string, at: Date, body: Record<string, string> = {}) => ({
  position,
  type,
  body,
  since: at,
  at,
  events: 1,
});

const DESCRIPTIONS = ['Two sourdough loaves', 'Coffee and croissant', null, 'Weekly flour delivery', 'Birthday cake <b>for Ada</b>'];

function movedOf(status: PaymentStatus, value: bigint): bigint {
  if (status === 'completed' || status === 'paid') return value;
  return ['waiting', 'queued', 'expired', 'cancelled', 'nothing_received'].includes(status) ? 0n : (value * 2n) / 5n;
}

const shownStatus = (status: PaymentStatus, goesOut: boolean): PaymentStatus => (status === 'completed' && !goesOut ? 'paid' : status);

function payment(index: number, status: PaymentStatus): PaymentDetail {
  const goesOut = ['queued', 'sending', 'retrying', 'failed'].includes(status) || index % 3 === 0;
  const value = BigInt(350 + ((index * 731) % 9000));
  const whole = status === 'waiting' && index % 2 === 0 ? null : usd(value);
  const done = movedOf(status, value);
  const createdAt = minutes(-index * 47 - 1);
  const paymentId = id();
  const isOrder = index % 2 === 0;
  return {
    id: paymentId,
    direction: goesOut ? 'out' : 'in',
    accountId: main.id,
    accountName: main.publicName,
    status: shownStatus(status, goesOut),
    completed: status === 'completed',
    amount: goesOut ? usd(value) : whole,
    progress: usd(done),
    description: DESCRIPTIONS[index % DESCRIPTIONS.length] ?? null,
    reference: isOrder ? `ORDER-${1000 + index}` : null,
    note: null,
    madeAt: null,
    till: null,
    client: index % 4 === 0 ? null : till.id,
    ...noRefunds,
    refunds: [],
    ...{ payers: [], morePayers: false, moreRefunds: false },
    createdAt,
    updatedAt: createdAt,
    url: `${ORIGIN}/${goesOut ? 'outgoing' : 'incoming'}-payments/${paymentId}`,
    walletAddress: main.walletAddress,
    expiresAt: goesOut ? null : minutes(60),
    metadata: isOrder ? { description: 'Two sourdough loaves', externalRef: `ORDER-${1000 + index}`, till: { number: 3 } } : null,
    ...(goesOut ? outgoingFacts(value, done) : { receiver: null, receiveAmount: null, delivered: null, held: null }),
    grantId: null,
    failure: status === 'failed' ? { code: 'receiver_closed' } : null,
    openPackets: [],
    packets: Number(done / 100n),
    archived: false,
    timeline: timeline(goesOut ? 'outgoing' : 'incoming', status, createdAt, { value, done }),
  };
}

const timeline = (kind: 'incoming' | 'outgoing', status: PaymentStatus, at: Date, { value, done }: { value: bigint; done: bigint }) => [
  entry(1n, `${kind}_payment.created`, at, { amount: value.toString() }),
  ...(kind === 'outgoing' && status !== 'queued' ? [entry(2n, 'outgoing_payment.sending', at)] : []),
  ...(status === 'failed' ? [entry(3n, 'outgoing_payment.failed', at, { returned: (value - done).toString() })] : []),
  ...(status === 'completed' ? [entry(4n, `${kind}_payment.completed`, at)] : []),
];

const outgoingFacts = (value: bigint, done: bigint) => ({
  receiver: RECEIVER,
  receiveAmount: { value, assetCode: 'EUR', assetScale: 2 },
  delivered: { value: done, assetCode: 'EUR', assetScale: 2 },
  held: usd(0n),
});

const CYCLE: PaymentStatus[] = [
  'sending',
  'waiting',
  'completed',
  'partly_paid',
  'completed',
  'failed',
  'completed',
  'expired',
  'completed',
  'retrying',
  'queued',
];
export const payments: PaymentDetail[] = Array.from({ length: 130 }, (_, index) =>
  payment(index, index < 11 ? (CYCLE[index] ?? 'completed') : index % 17 === 0 ? 'failed' : 'completed'),
);

const KINDS: Movement['kind'][] = ['received', 'sent', 'reserved', 'deposit', 'returned', 'withdrawal'];
export const movements: Movement[] = Array.from({ length: 70 }, (_, index) => {
  const kind = KINDS[index % KINDS.length] ?? 'received';
  const size = BigInt(120 + ((index * 977) % 5000));
  return {
    id: id(),
    kind,
    change: ['sent', 'reserved', 'withdrawal'].includes(kind) ? -size : size,
    note: kind === 'deposit' ? 'Cash from the till' : kind === 'received' ? 'Two books' : null,
    other: kind === 'received' || kind === 'sent' ? 'The savings' : null,
    paymentId: kind === 'received' || kind === 'sent' ? (payments[index]?.id ?? null) : null,
    at: minutes(-index * 95),
  };
});

export const keys: ClientKey[] = [
  { id: id(), kid: 'till-2026', label: 'Till at the door', createdAt: minutes(-60 * 24 * 9), revokedAt: null },
  { id: id(), kid: 'old-till', label: 'Old till', createdAt: minutes(-60 * 24 * 200), revokedAt: minutes(-60 * 24 * 10) },
];

const outgoing = (limits: Grant['access'][number]['limits']): Grant['access'][number] => ({
  type: 'outgoing-payment',
  actions: ['create', 'read', 'list'],
  identifier: main.walletAddress,
  limits,
});

function approval(client: ApprovalRequest['client'], over: Partial<ApprovalRequest>): ApprovalRequest {
  return {
    id: id(),
    client,
    access: [
      outgoing({ receiver: null, interval: 'R/2026-03-01T00:00:00Z/P1M', debitAmount: usd(5000n), receiveAmount: null }),
      { type: 'quote', actions: ['create', 'read'], identifier: null, limits: null },
    ],
    subject: null,
    account: { id: main.id, name: main.name, publicName: main.publicName, walletAddress: main.walletAddress },
    nextWindows: [
      { start: new Date('2026-03-01T00:00:00Z'), end: new Date('2026-04-01T00:00:00Z') },
      { start: new Date('2026-04-01T00:00:00Z'), end: new Date('2026-05-01T00:00:00Z') },
      { start: new Date('2026-05-01T00:00:00Z'), end: new Date('2026-06-01T00:00:00Z') },
    ],
    returnsTo: 'https://till.example/return',
    opened: true,
    unlimited: false,
    suggestedLimit: null,
    payee: null,
    wrongCodes: 0,
    createdAt: minutes(-1),
    lapsesAt: minutes(9),
    shownHash: `hash-${count}`,
    ...over,
  };
}

export const approvals: ApprovalRequest[] = [
  approval(till, {}),
  approval(hostile, { access: [outgoing(null)], unlimited: true, nextWindows: [], returnsTo: null, lapsesAt: minutes(1) }),
  approval(byKey, {
    access: [
      outgoing({
        receiver: RECEIVER,
        interval: null,
        debitAmount: usd(2500n),
        receiveAmount: { value: 2300n, assetCode: 'EUR', assetScale: 2 },
      }),
    ],
    subject: main.walletAddress,
    nextWindows: [],
  }),
];

function grant(client: Grant['client'], state: Grant['state'], spent: bigint, over: Partial<Grant> = {}): Grant {
  const limit = usd(5000n);
  return {
    id: id(),
    client,
    state,
    access: approvals[0]?.access ?? [],
    asked: over.access ?? approvals[0]?.access ?? [],
    budgets: [
      {
        limit,
        spent: usd(spent),
        kind: 'debit',
        windowStart: new Date('2026-03-01T00:00:00Z'),
        windowEnd: new Date('2026-04-01T00:00:00Z'),
      },
    ],
    tokens: [
      { id: id(), state: state === 'issued' ? 'active' : 'revoked', createdAt: minutes(-5), expiresAt: minutes(5), awaitsRotation: false },
      { id: id(), state: 'rotated', createdAt: minutes(-25), expiresAt: minutes(-15), awaitsRotation: false },
    ],
    interactive: true,
    payments: 7,
    createdAt: minutes(-60 * 30),
    decidedAt: minutes(-60 * 30 + 1),
    expiresAt: null,
    lastUsedAt: minutes(-4),
    ...over,
  };
}

export const grants: Grant[] = [
  grant(till, 'issued', 3150n),
  grant(till, 'issued', 0n, {
    access: [{ type: 'incoming-payment', actions: ['create', 'read', 'list', 'complete'], identifier: null, limits: null }],
    budgets: [],
    interactive: false,
    payments: 0,
  }),
  grant(byKey, 'issued', 4900n, {
    asked: [outgoing({ receiver: null, interval: 'R/2026-03-01T00:00:00Z/P1M', debitAmount: usd(20_000n), receiveAmount: null })],
    expiresAt: minutes(60 * 24 * 90),
  }),
  grant(till, 'revoked', 5000n),
  grant(hostile, 'denied', 0n, { tokens: [], budgets: [], payments: 0 }),
];
const [first] = grants;
for (const one of payments) if (one.direction === 'out' && one.client !== null) one.grantId = first?.id ?? null;

/** A month in which every day is a little different. */
export function history(now: Date, empty: boolean): History {
  const today = Math.floor(now.getTime() / 86_400_000);
  const days = Array.from({ length: 30 }, (_, index) => ({
    day: new Date((today - 29 + index) * 86_400_000).toISOString().slice(0, 10),
    received: BigInt(20_000 + ((index * 7919) % 45_000)),
    sent: BigInt((index * 3571) % 18_000),
  }));
  return {
    firstDay: new Date((today - 29) * 86_400_000).toISOString().slice(0, 10),
    days: 30,
    assets: empty ? [] : [{ assetCode: 'USD', assetScale: 2, days }],
  };
}

export function request(account: Account, amount: bigint | undefined, description: string | undefined, at: Date): PaymentRequest {
  const { assetCode, assetScale } = account;
  const made = id();
  return {
    id: made,
    direction: 'in',
    accountId: account.id,
    accountName: account.publicName,
    status: 'waiting',
    completed: false,
    amount: amount === undefined ? null : { value: amount, assetCode, assetScale },
    progress: { value: 0n, assetCode, assetScale },
    description: description ?? null,
    reference: null,
    note: null,
    madeAt: 'desk',
    till: null,
    client: null,
    ...noRefunds,
    refunded: { value: 0n, assetCode, assetScale },
    createdAt: at,
    updatedAt: at,
    link: `${ORIGIN}/pay/${made}`,
    expiresAt: null,
    cancelReason: null,
    dueAt: null,
    returnUrl: null,
  };
}

const unlimited: AppTrust['limits']['trusted'] = {
  ...{ requestsPerSecond: null, failuresPerSecond: null, outboundPerSecond: null },
  ...{ bytesPerHour: null, rows: null, processorPerSecond: null },
};

export const trust: AppTrust = {
  tier: 'known',
  chosen: null,
  usual: 'known',
  canChoose: true,
  limits: {
    stranger: {
      ...{ requestsPerSecond: 50, failuresPerSecond: 2, outboundPerSecond: 2 },
      ...{ bytesPerHour: 16 * 1024 * 1024, rows: 2_000, processorPerSecond: 100 },
    },
    known: { ...unlimited, requestsPerSecond: 20_000 },
    trusted: unlimited,
  },
};
