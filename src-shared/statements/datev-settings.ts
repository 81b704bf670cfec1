import { z } from '../zod.ts';
import { DATEV_NUMBERS } from './datev-numbers.ts';

const within = ([least, most]: readonly [number, number]) => z.number().int().min(least).max(most);
const ACCOUNT = z.string().regex(/^\d{4,9}$/);

/** What DATEV asks for in a batch of bookings. The tax adviser knows all of it. */
export const DatevSettings = z.object({
  /** The number of the tax adviser (Beraternummer). */
  consultant: within(DATEV_NUMBERS.consultant),
  /** The number of the shop at the tax adviser (Mandantennummer). */
  client: within(DATEV_NUMBERS.client),
  /** The month with which the shop's year begins, 1 to 12. */
  yearBegins: z.number().int().min(1).max(12),
  /** The ledger account of the wallet. All four are G/L accounts, and equally long. */
  wallet: ACCOUNT,
  /** The account for received payments, such as sales. Refunds are booked there, too. */
  received: ACCOUNT,
  /** The account for payments that were sent. */
  sent: ACCOUNT,
  /** The account for deposits and withdrawals, such as money in transit. */
  transit: ACCOUNT,
});
export type DatevSettings = z.infer<typeof DatevSettings>;

/** Whether the accounts are equally long and have 4 to 8 digits, as G/L accounts of one chart have. */
export const haveOneLength = ({ wallet, received, sent, transit }: DatevSettings): boolean =>
  wallet.length <= 8 && [received, sent, transit].every(({ length }) => length === wallet.length);
