import type { PaymentStatus } from '../../../src-shared/operator-contract/payments/payments.ts';

// What a till and the screen for its customer say to each other. Both are pages of one browser, which alone carries it.

/** The channel of these pages. Its number is raised when a message changes, because an old page may still be open. */
export const CHANNEL = 'paydesk-customer-1';

/** One thing in the cart, with texts that are ready to be shown. */
interface SeenLine {
  readonly key: string;
  readonly text: string;
  /** How many, and the price of one; null for a single piece. */
  readonly times: string | null;
  readonly amount: string;
}

/** What is missing of a sale that was paid in part. */
interface SeenPart {
  readonly missing: string;
  readonly arrived: string;
  readonly whole: string;
}

/** What the customer may see. `ends` is the node's time at which it must not be seen any more; null for never. */
export type Seen =
  | { readonly kind: 'quiet' }
  | { readonly kind: 'cart'; readonly lines: readonly SeenLine[]; readonly tax: string | null; readonly total: string }
  | { readonly kind: 'moment'; readonly amount: string | null }
  | {
      readonly kind: 'code';
      readonly link: string;
      readonly purpose: string | null;
      readonly asked: string;
      readonly part: SeenPart | null;
      readonly ends: Date | null;
    }
  | {
      readonly kind: 'end';
      readonly status: PaymentStatus;
      readonly amount: string;
      readonly part: SeenPart | null;
      readonly ends: Date;
    };

/** What stands on the screen between two sales. */
export const QUIET: Seen = { kind: 'quiet' };

/** Whose till it is. */
export interface SeenShop {
  /** An empty text while nobody has named it. */
  readonly name: string;
  /** The logo as a data URL (RFC 2397); null without one. */
  readonly logo: string | null;
}

/**
 * A message between the pages. `till` is the id of a till, which is another one after each load of its page.
 *
 * - `ask`: a screen asks the till that it follows, or every till when it has none (null).
 * - `bye`: a screen goes.
 * - `says`: what the customer of the till sees. `isTaken` says whether a screen follows the till already. `leftMs` is
 *   how long it may be seen, in milliseconds; null for as long as the till says nothing else.
 * - `gone`: the till goes.
 * - `close`: the till wants its screen to close.
 */
export type Said =
  | { readonly kind: 'ask'; readonly till: string | null }
  | { readonly kind: 'bye' | 'gone' | 'close'; readonly till: string }
  | {
      readonly kind: 'says';
      readonly till: string;
      readonly isTaken: boolean;
      readonly shop: SeenShop;
      readonly seen: Seen;
      readonly leftMs: number | null;
    };

/** A screen asks its till this often, in milliseconds. Timers of a hidden page are slower, but its messages are not. */
export const ASK_MS = 1_000;
/** Who has said nothing for this long is taken for gone, in milliseconds. */
export const SILENT_MS = 5_000;
