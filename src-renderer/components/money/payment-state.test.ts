import { expect, it } from 'vitest';
import type { Payment } from '../../../src-shared/operator-contract/payments/payments.ts';
import { incomingAt } from './payment-state.tsx';

const NOW = new Date(1_700_000_000_000);
const [before, after] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)];
const eur = (value: bigint) => ({ value, assetCode: 'EUR', assetScale: 2 });
const request: Payment = {
  id: 'p',
  direction: 'in',
  accountId: 'a',
  accountName: 'The shop',
  status: 'waiting',
  completed: false,
  amount: eur(4_800n),
  progress: eur(0n),
  description: null,
  reference: null,
  note: null,
  madeAt: null,
  till: null,
  client: null,
  refunded: eur(0n),
  refundOf: null,
  createdAt: before,
  updatedAt: before,
};

it.each([
  [{}, null, 'waiting', true],
  [{}, after, 'waiting', true],
  // The node writes no event at that moment, so the page reads nothing again.
  [{}, NOW, 'expired', false],
  [{ progress: eur(1n) }, before, 'partly_paid', false],
  [{ progress: eur(4_800n), completed: true }, before, 'paid', false],
  [{ completed: true }, null, 'cancelled', false],
] as const)('a request with %o that ends at %o is %s', (facts, expiresAt, status, isOpen) => {
  expect(incomingAt({ ...request, ...facts, expiresAt }, NOW)).toEqual({ status, isOpen });
});
