import { QUANTITY_PARTS } from '../../src-shared/bills/bill.ts';
import { ofBrowser, ofTab, remember, remembered } from '../transport/browser-memory.ts';
import { stateCell } from '../transport/state-cell.ts';
import { type Cart, type CartLine, MOST_PIECES, type SoldBill } from './cart/cart.ts';
import { isRecord, readKept, writeKept } from './cart/kept-json.ts';

// What the till remembers in this browser. A browser that keeps nothing forgets it with the page.

const ACCOUNT = 'paydesk-till-account';
const MUTED = 'paydesk-till-muted';
const SWAPPED = 'paydesk-till-swapped';
const SALE = 'paydesk-till-sale';
const CART = 'paydesk-till-cart';

/** The id of the account into which this till takes money. */
export const rememberedAccount = (): string | undefined => remembered(ofBrowser, ACCOUNT);
export const rememberAccount = (id: string): void => remember(ofBrowser, ACCOUNT, id);

/** Whether this till makes no sound. */
export const muted = stateCell(remembered(ofBrowser, MUTED) === 'true');
muted.watch(() => remember(ofBrowser, MUTED, muted.get() ? 'true' : undefined));

/** Whether the keypad is on the other side on a wide screen, for the other hand. */
export const swapped = stateCell(remembered(ofBrowser, SWAPPED) === 'true');
swapped.watch(() => remember(ofBrowser, SWAPPED, swapped.get() ? 'true' : undefined));

/** What was charged, before the node has answered that there is such a sale. */
interface Draft {
  /** Names the intention: however often it is sent, the node makes one sale. */
  requestId: string;
  accountId: string;
  amount: bigint;
  /** What the amount consists of. */
  bill: SoldBill | undefined;
  /** What the customer reads. */
  description: string | undefined;
  /** What only the shop reads. */
  note: string | undefined;
}

/** Keeps what was charged, so that a reload before the node's answer makes the same sale and no other. */
export const keepDraft = (draft: Draft): void => remember(ofTab, SALE, writeKept(draft));

/** What was charged under this id. It is undefined once the node has answered. */
export function draftOf(id: string): Draft | undefined {
  const kept = readKept(remembered(ofTab, SALE));
  if (!isRecord(kept)) return undefined;
  const { requestId, accountId, amount, bill } = kept;
  if (requestId !== id || typeof accountId !== 'string' || typeof amount !== 'bigint') return undefined;
  if (bill !== undefined && !isBill(bill)) return undefined;
  return { requestId: id, accountId, amount, bill, description: textOf(kept.description), note: textOf(kept.note) };
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** The node looks at the values again. */
const isBill = (value: unknown): value is SoldBill =>
  isRecord(value) &&
  typeof value.pricesIncludeTax === 'boolean' &&
  (value.rounding === 'line' || value.rounding === 'total') &&
  typeof value.tip === 'bigint' &&
  Array.isArray(value.lines) &&
  value.lines.every(
    (line) =>
      isRecord(line) &&
      typeof line.text === 'string' &&
      Number.isInteger(line.quantity) &&
      typeof line.unitPrice === 'bigint' &&
      isTax(line.tax),
  );

const isTax = (value: unknown): value is CartLine['tax'] =>
  value === null || (isRecord(value) && typeof value.name === 'string' && Number.isInteger(value.rate));

/** Forgets what was charged under this id. */
export function forgetDraft(id: string): void {
  if (draftOf(id) !== undefined) remember(ofTab, SALE, undefined);
}

/** Keeps what lies in the cart of an account, so that a reload or a sale that was not made finds it again. */
export const keepCart = (accountId: string, lines: Cart): void =>
  remember(ofTab, CART, lines.length === 0 ? undefined : writeKept({ accountId, lines }));

/** Forgets the cart, once the sale is made. */
export const forgetCart = (): void => remember(ofTab, CART, undefined);

/** What lay in the cart of an account. */
export function keptCart(accountId: string): Cart {
  const kept = readKept(remembered(ofTab, CART));
  if (!isRecord(kept) || kept.accountId !== accountId || !Array.isArray(kept.lines)) return [];
  const lines: unknown[] = kept.lines;
  return lines.every(isLine) ? lines.map((line) => ({ ...line, productId: line.productId })) : [];
}

const isLine = (value: unknown): value is CartLine =>
  isRecord(value) &&
  typeof value.key === 'string' &&
  (value.productId === undefined || typeof value.productId === 'string') &&
  typeof value.text === 'string' &&
  typeof value.unitPrice === 'bigint' &&
  typeof value.pieces === 'number' &&
  Number.isInteger(value.pieces * QUANTITY_PARTS) &&
  value.pieces >= 1 &&
  value.pieces <= MOST_PIECES &&
  isTax(value.tax);
