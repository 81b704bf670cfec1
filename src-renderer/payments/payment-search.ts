import type { PaymentFilter, PaymentStatus } from '../../src-shared/operator-contract/payments.ts';

/** In the order a payment goes through them. */
export const STATUSES = [
  'waiting',
  'receiving',
  'queued',
  'sending',
  'retrying',
  'settling',
  'unknown',
  'completed',
  'expired',
  'failed',
] as const satisfies readonly PaymentStatus[];

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the filters of the payments list from its address; what cannot be a filter is left out. */
export function parsePaymentSearch(search: Record<string, unknown>): PaymentFilter {
  const { direction, status, accountId, text } = search;
  const known = STATUSES.find((one) => one === status);
  // A search for digits arrives as a number, because the address holds JSON values.
  const words = typeof text === 'number' ? String(text) : typeof text === 'string' ? text.slice(0, 200) : '';
  return {
    ...((direction === 'in' || direction === 'out') && { direction }),
    ...(known !== undefined && { status: known }),
    ...(typeof accountId === 'string' && UUID.test(accountId) && { accountId }),
    ...(words !== '' && { text: words }),
  };
}

export const isFiltered = (filter: PaymentFilter): boolean => Object.values(filter).some((value) => value !== undefined);
