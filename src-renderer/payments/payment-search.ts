import type { MadeAt } from '../../src-shared/operator-contract/payments/made-at.ts';
import type { PaymentFilter, PaymentStatus } from '../../src-shared/operator-contract/payments/payments.ts';
import { startOf } from '../../src-shared/words/day-input.ts';
import { AMOUNT, isId, typedText } from '../components/filters/search-params.ts';

/** The states in the order in which a payment goes through them. */
export const STATUSES = [
  'waiting',
  'partly_paid',
  'paid',
  'cancelled',
  'expired',
  'nothing_received',
  'queued',
  'sending',
  'retrying',
  'settling',
  'unknown',
  'completed',
  'failed',
] as const satisfies readonly PaymentStatus[];

/** The places in the shop at which a request is made. */
export const PLACES = ['desk', 'till'] as const satisfies readonly MadeAt[];

/**
 * The filters of the payments list as they stand in the address. Days are written as `2026-03-14`, amounts as typed.
 */
export interface PaymentSearch
  extends Pick<PaymentFilter, 'direction' | 'unpaid' | 'status' | 'accountId' | 'text' | 'reference' | 'client' | 'madeAt' | 'tillId'> {
  /** The amount, in whole currency units. */
  min?: string | undefined;
  max?: string | undefined;
  /** The first and the last day, in the reader's time zone. */
  from?: string | undefined;
  to?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the filters of the payments list from its address; what cannot be a filter is left out. */
export function parsePaymentSearch(search: Record<string, unknown>): PaymentSearch {
  const { direction, status, accountId, client, tillId } = search;
  const madeAt = PLACES.find((one) => one === search.madeAt);
  const known = STATUSES.find((one) => one === status);
  const [text, reference] = [typedText(search.text), typedText(search.reference)];
  const [min, max] = [fitting(search.min, AMOUNT), fitting(search.max, AMOUNT)];
  const [from, to] = [search.from, search.to].map((day) => (startOf(fitting(day, DAY)) === undefined ? undefined : fitting(day, DAY)));
  return {
    ...((direction === 'in' || direction === 'out') && { direction }),
    ...(search.unpaid === true && { unpaid: true }),
    ...(known !== undefined && { status: known }),
    ...(isId(accountId) && { accountId }),
    ...(text !== '' && { text }),
    ...(reference !== '' && { reference }),
    ...(typeof client === 'string' && client.length <= 2048 && { client }),
    ...(madeAt !== undefined && { madeAt }),
    ...(isId(tillId) && { tillId }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  };
}

const fitting = (value: unknown, form: RegExp): string | undefined => {
  const text = typedText(value);
  return form.test(text) ? text : undefined;
};

/** The filters as the node takes them. */
export function filterOf({ min, max, from, to, ...filter }: PaymentSearch): PaymentFilter {
  const [createdFrom, createdBefore] = [startOf(from), startOf(to, 1)];
  return {
    ...filter,
    ...(min !== undefined && { minAmount: min }),
    ...(max !== undefined && { maxAmount: max }),
    ...(createdFrom && { createdFrom }),
    ...(createdBefore && { createdBefore }),
  };
}

/** How many of the filters that do not stand beside the search box are set. */
export const furtherFilters = ({ reference, client, madeAt, tillId, min, max, from, to }: PaymentSearch): number =>
  [reference, client, madeAt, tillId, min, max, from, to].filter((value) => value !== undefined).length;
