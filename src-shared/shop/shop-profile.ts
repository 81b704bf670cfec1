import { z } from '../zod.ts';
import { line } from './one-line.ts';
import { DAY_END_STEP, LATEST_DAY_END, MOST_LOGO_BYTES, MOST_LOGO_DOTS, MOST_TAX, SHOP_LIMITS } from './shop-limits.ts';

const TaxRate = z.object({
  /** Lines of sales keep it. A changed rate gets another id, so that an old line keeps its rate. */
  id: z.string().regex(/^[a-z0-9-]{1,36}$/),
  /** What the operator calls it, such as "Reduced". */
  name: line(SHOP_LIMITS.taxRateName).min(1),
  rate: z.number().int().min(0).max(MOST_TAX).describe('In thousandths of a percent: 19000 is 19 %.'),
});
export type TaxRate = z.infer<typeof TaxRate>;

const TaxRates = z
  .array(TaxRate)
  .max(SHOP_LIMITS.taxRates)
  .refine((rates) => new Set(rates.map(({ id }) => id)).size === rates.length, 'Two tax rates have the same id.');

/** What the shop says of itself, and by which rules it counts. Texts are empty where the operator has set nothing. */
export const ShopProfile = z
  .object({
    name: line(SHOP_LIMITS.name),
    address: z.array(line(SHOP_LIMITS.addressLine).min(1)).max(SHOP_LIMITS.addressLines),
    taxNumber: line(SHOP_LIMITS.taxNumber),
    /** The colour of its pages and papers, as `#rrggbb`; null for that of paydesk. */
    colour: z
      .string()
      .regex(/^#[0-9a-f]{6}$/)
      .nullable(),
    /** The code of the currency in which the shop keeps its accounts; null while nobody has said. */
    homeCurrency: z
      .string()
      .regex(/^[A-Z0-9]{2,12}$/)
      .nullable(),
    dayEndsAt: z
      .number()
      .int()
      .min(0)
      .max(LATEST_DAY_END)
      .multipleOf(DAY_END_STEP)
      .describe('When the shop’s day ends, in minutes after midnight: 180 is 03:00. Whole quarters of an hour.'),
    taxRates: TaxRates,
    /** The id of the rate that a new line or product begins with; null without rates. */
    defaultTaxRate: z.string().nullable(),
    /** Whether prices contain the tax already. */
    pricesIncludeTax: z.boolean(),
    /** Whether the tax is rounded on each line, or once for each rate of the whole. */
    taxRounding: z.enum(['line', 'total']),
    /** The last line of receipts. */
    closingLine: line(SHOP_LIMITS.closingLine),
    /** Whether the first page of the public URL names the wallet addresses. It shows nothing while there is no name. */
    showsAddresses: z.boolean(),
  })
  .refine(
    ({ taxRates, defaultTaxRate }) => (defaultTaxRate === null ? taxRates.length === 0 : taxRates.some(({ id }) => id === defaultTaxRate)),
    'One of the tax rates is the default.',
  );
export type ShopProfile = z.infer<typeof ShopProfile>;

/** The profile of a shop about which nobody has said anything. */
export const EMPTY_PROFILE: ShopProfile = {
  name: '',
  address: [],
  taxNumber: '',
  colour: null,
  homeCurrency: null,
  dayEndsAt: 0,
  taxRates: [],
  defaultTaxRate: null,
  pricesIncludeTax: true,
  taxRounding: 'line',
  closingLine: '',
  showsAddresses: true,
};

/** A picture as base64 (RFC 4648 §4), with padding. */
export const LogoData = z
  .base64()
  .min(1)
  .max(Math.ceil(MOST_LOGO_BYTES / 3) * 4);

/** How many bytes base64 with padding stands for. */
const bytesIn = (base64: string): number => (base64.length / 4) * 3 - (/=*$/.exec(base64)?.[0].length ?? 0);

/** A logo as a receipt printer in the network prints it; see logo-dots.ts. */
export const LogoDotsData = z
  .object({
    width: z.int().min(8).max(MOST_LOGO_DOTS.width).multipleOf(8),
    height: z.int().min(1).max(MOST_LOGO_DOTS.height),
    data: z
      .base64()
      .min(1)
      .max(Math.ceil(((MOST_LOGO_DOTS.width / 8) * MOST_LOGO_DOTS.height) / 3) * 4),
  })
  .refine(({ width, height, data }) => bytesIn(data) === (width / 8) * height, 'A logo needs one bit for each of its dots.');
