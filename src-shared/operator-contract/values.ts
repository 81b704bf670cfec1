import { MAX_MOVED } from '../amounts.ts';
import { z } from '../zod.ts';

/** Values that several operations share. */

export const Id = z.uuid();

export const AssetValue = z.object({
  assetCode: z.string().regex(/^[A-Z0-9]{2,12}$/),
  assetScale: z.number().int().min(0).max(18),
});

/** An amount in the smallest units of its asset. */
export const AmountValue = AssetValue.extend({ value: z.bigint() });
export type AmountValue = z.infer<typeof AmountValue>;

/** The asset of another wallet: every asset that Open Payments allows. */
export const ForeignAsset = z.object({ assetCode: z.string().min(1).max(64), assetScale: z.number().int().min(0).max(255) });

/** An amount in the smallest units of another wallet's asset. */
export const ForeignAmount = ForeignAsset.extend({ value: z.bigint() });

/** Money that moves: above zero, and at most 2^63−1 units. */
export const MovedValue = z.bigint().positive().max(MAX_MOVED);

export const Metadata = z.record(z.string(), z.unknown());

/** The caller makes one for each intention, so that a repeated click or a retried call has one effect. */
export const RequestId = z.uuid();
