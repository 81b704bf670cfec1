import { type Amount, parseUint64 } from '../../../src-shared/amounts.ts';
import { AssetValue } from '../../../src-shared/operator-contract/values.ts';
import { parseInterval } from '../../../src-shared/repeating-interval.ts';
import { z } from '../../../src-shared/zod.ts';
import type { AccessRight, Limits } from './access-rights.ts';

/** `https://host/incoming-payments/id`, as the official schemas have it (protocol-notes.md#PN-22). */
const RECEIVER = /^https?:\/\/.+\/incoming-payments\/.+$/;

/** The asset must be one that the console can show: the operator cannot approve an amount that nobody can read. */
export const WireAmount = z.strictObject({
  ...AssetValue.shape,
  /** An unsigned 64-bit integer in its canonical decimal form. */
  value: z.string().refine((text) => parseUint64(text) !== undefined, 'must be an unsigned 64-bit integer in decimal digits'),
});
export type WireAmount = z.infer<typeof WireAmount>;

const WalletAddressUrl = z
  .string()
  .max(2048)
  .regex(/^https?:\/\/[^\s]+$/, 'must be the URL of a wallet address');

const isRepeatingInterval = (text: string): boolean => parseInterval(text) !== undefined;

const unique = <T>(items: readonly T[]): boolean => new Set(items).size === items.length;
const distinct = (items: readonly unknown[]): boolean => unique(items.map((item) => JSON.stringify(item)));

const WireLimits = z.strictObject({
  receiver: z.string().max(2048).regex(RECEIVER).optional(),
  interval: z.string().max(256).refine(isRepeatingInterval, 'must be a repeating interval with a time zone').optional(),
  debitAmount: WireAmount.optional(),
  receiveAmount: WireAmount.optional(),
});

/** One item of `access` as the official schemas have it (protocol-notes.md#PN-16). Unknown members are refused. */
export const WireAccess = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('incoming-payment'),
    actions: z
      .array(z.enum(['create', 'complete', 'read', 'read-all', 'list', 'list-all']))
      .min(1)
      .refine(unique, 'must not repeat'),
    identifier: WalletAddressUrl.optional(),
  }),
  z.strictObject({
    type: z.literal('outgoing-payment'),
    actions: z
      .array(z.enum(['create', 'read', 'read-all', 'list', 'list-all']))
      .min(1)
      .refine(unique, 'must not repeat'),
    identifier: WalletAddressUrl,
    limits: WireLimits.optional(),
  }),
  z.strictObject({
    type: z.literal('quote'),
    actions: z
      .array(z.enum(['create', 'read', 'read-all']))
      .min(1)
      .refine(unique, 'must not repeat'),
    identifier: WalletAddressUrl.optional(),
  }),
]);
export type WireAccess = z.infer<typeof WireAccess>;

/** A grant has one to three different rights (protocol-notes.md#PN-16). */
export const WireAccessList = z.array(WireAccess).min(1).max(3).refine(distinct, 'must not repeat');

export const fromWireAmount = ({ value, assetCode, assetScale }: WireAmount): Amount => ({ value: BigInt(value), assetCode, assetScale });

/** Turns the stored wire form into rights. */
export function parseAccess(items: readonly WireAccess[]): AccessRight[] {
  return items.map((item) => ({
    type: item.type,
    actions: [...item.actions],
    ...(item.identifier !== undefined && { identifier: item.identifier }),
    ...(item.type === 'outgoing-payment' && item.limits !== undefined && { limits: parseLimits(item.limits) }),
  }));
}

function parseLimits({ receiver, interval, debitAmount, receiveAmount }: z.infer<typeof WireLimits>): Limits {
  return {
    ...(receiver !== undefined && { receiver }),
    ...(interval !== undefined && { interval }),
    ...(debitAmount && { debitAmount: fromWireAmount(debitAmount) }),
    ...(receiveAmount && { receiveAmount: fromWireAmount(receiveAmount) }),
  };
}
