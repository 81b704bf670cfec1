import { MAX_MOVED } from '../amounts.ts';
import { z } from '../zod.ts';
import { operatorErrors } from './error-messages.ts';

/** Values that several operations share. */

export const Id = z.uuid();

/** Money, in smallest units of the asset beside it. Every amount of the contract is made from this. */
export const Units = z.bigint().describe('In smallest units of its currency: with the scale 2, "1250" is 12.50.');

/** How many there are. Counting a million takes too long for a screen, and nobody needs the number. */
export const Counted = z.number().int().describe('10001 stands for more than 10000: no more are counted.');

/** The place of an event in the journal. */
export const Position = z.bigint().describe('The position of an event in the journal. Later events have greater ones.');

export const AssetValue = z.object({
  assetCode: z.string().regex(/^[A-Z0-9]{2,12}$/),
  assetScale: z.number().int().min(0).max(18).describe('How many decimal places a smallest unit has: 2 for cents.'),
});

/** An amount in the smallest units of its asset. */
export const AmountValue = AssetValue.extend({ value: Units });
export type AmountValue = z.infer<typeof AmountValue>;

/** The asset of another wallet: every asset that Open Payments allows. */
export const ForeignAsset = z.object({ assetCode: z.string().min(1).max(64), assetScale: z.number().int().min(0).max(255) });

/** An amount in the smallest units of another wallet's asset. */
export const ForeignAmount = ForeignAsset.extend({ value: Units });

/** Money that moves: above zero, and at most 2^63−1 units. */
export const MovedValue = Units.positive().max(MAX_MOVED);

export const Metadata = z.record(z.string(), z.unknown());

/** Names one intention, so that a repeated click or a retried call has one effect. */
export const RequestId = z
  .uuid()
  .describe(
    'A UUID that the caller makes for each intention. A call that is repeated with the same one has one effect and the same answer.',
  );

/** Refuses a call whose `requestId` stands for money that was moved in another way. */
export const REQUEST_ID_TAKEN = { status: 409, message: operatorErrors.requestIdTaken };
