import { z } from '../zod.ts';

/** `sale`: what was received. `refund`: what was given back of it. */
export const RECEIPT_KINDS = ['sale', 'refund'] as const;
export type ReceiptKind = (typeof RECEIPT_KINDS)[number];

/** The means by which it was paid. A later version may know others. */
const PAID_BY = ['open_payments'] as const;

/** @param units how an amount in smallest units is written. */
const contentWith = (units: z.ZodType<bigint>) => {
  const rate = z.object({ name: z.string(), rate: z.number().int() });
  const counted = { net: units, taxAmount: units };
  return z.object({
    version: z.literal(1),
    kind: z.enum(RECEIPT_KINDS),
    number: z.string(),
    /** The shop as it was then. One that nobody has named has the name of the account, and nothing else. */
    shop: z.object({
      name: z.string(),
      address: z.array(z.string()),
      taxNumber: z.string(),
      /** The SHA-256 of the logo, base64url; null without one. */
      logo: z.string().nullable(),
      closingLine: z.string(),
    }),
    /** The account into which, or from which, it was paid. */
    account: z.object({ name: z.string(), walletAddress: z.string() }),
    /** The time when the receipt was issued, and when the money had come or gone (ISO 8601, UTC). */
    issuedAt: z.iso.datetime(),
    paidAt: z.iso.datetime(),
    /** The time zone of the shop then, in which the paper names times. */
    timeZone: z.string(),
    assetCode: z.string(),
    assetScale: z.number().int(),
    pricesIncludeTax: z.boolean(),
    /** The text of a line is empty where only an amount was asked for. */
    lines: z.array(
      z.object({ text: z.string(), quantity: z.number().int(), unitPrice: units, tax: rate.nullable(), amount: units, ...counted }),
    ),
    rates: z.array(rate.extend(counted)),
    ...counted,
    tip: units,
    /** What was charged, or given back: `net + taxAmount + tip`. */
    total: units,
    /** What was paid of the total, or given back. */
    paid: units,
    paidBy: z.enum(PAID_BY),
    /** The number of the receipt of what a refund gave back; null when it has none. */
    refundOf: z.string().nullable(),
    /** The reason of a refund that the payer was told. */
    reason: z.string().nullable(),
  });
};

/** What a receipt says, as it was when the receipt was issued. */
export const ReceiptContent = contentWith(z.bigint().describe('In smallest units of its currency.'));
export type ReceiptContent = z.infer<typeof ReceiptContent>;

/** The same as it is signed: amounts are decimal digits. */
export const SignedContent = contentWith(
  z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt) as unknown as z.ZodType<bigint>,
);
