import { parseUint64 } from '../../../src-shared/amounts.ts';
import { z } from '../../../src-shared/zod.ts';

/** The schemas of the resource server, for requests and for answers (protocol-notes.md#PN-22). */

const Amount = z.strictObject({
  value: z.string().refine((text) => parseUint64(text) !== undefined, 'must be an unsigned 64-bit integer in canonical decimal form'),
  assetCode: z.string().min(1).max(64),
  assetScale: z.number().int().min(0).max(255),
});

const Url = z.string().max(2048);
const MAX_METADATA_BYTES = 16 * 1024;
const Metadata = z
  .record(z.string(), z.unknown())
  .refine((metadata) => Buffer.byteLength(JSON.stringify(metadata)) <= MAX_METADATA_BYTES, 'metadata may have 16 KiB at most')
  .refine(z.hasNoNul, z.NO_NUL);

/** A year has four digits (RFC 3339), also in UTC, which answers use. */
const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z');
const Moment = z.iso.datetime({ offset: true }).refine((text) => Date.parse(text) <= LAST_MOMENT, 'must be before the year 10000 in UTC');

export const IncomingPaymentRequest = z.strictObject({
  walletAddress: Url.optional(),
  incomingAmount: Amount.optional(),
  expiresAt: Moment.optional(),
  metadata: Metadata.optional(),
});

export const QuoteRequest = z.strictObject({
  walletAddress: Url,
  receiver: Url,
  method: z.literal('ilp'),
  debitAmount: Amount.optional(),
  receiveAmount: Amount.optional(),
});

export const OutgoingPaymentRequest = z.union([
  z.strictObject({ walletAddress: Url, quoteId: Url, metadata: Metadata.optional() }),
  z.strictObject({ walletAddress: Url, incomingPayment: Url, debitAmount: Amount, metadata: Metadata.optional() }),
]);

/** Decimal digits only. `Number` understands more, but that is no number of items. */
const PageSize = z.preprocess(
  (text) => (typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : text),
  z.number().int().min(1).max(100),
);

export const ListQuery = z.object({
  'wallet-address': Url,
  cursor: z.string().min(1).max(64).optional(),
  first: PageSize.optional(),
  last: PageSize.optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;

export const WalletAddressAnswer = z.object({
  id: z.string(),
  publicName: z.string(),
  assetCode: z.string(),
  assetScale: z.number().int(),
  authServer: z.string(),
  resourceServer: z.string(),
});

const AmountAnswer = z.object({ value: z.string(), assetCode: z.string(), assetScale: z.number().int() });
const MetadataAnswer = z.record(z.string(), z.unknown());

const IncomingPaymentBase = z.object({
  id: z.string(),
  walletAddress: z.string(),
  completed: z.boolean(),
  incomingAmount: AmountAnswer.optional(),
  receivedAmount: AmountAnswer,
  expiresAt: z.string().optional(),
  metadata: MetadataAnswer.optional(),
  createdAt: z.string(),
  updatedAt: z.string().optional(),
});

export const IncomingPaymentAnswer = IncomingPaymentBase;
export const IncomingPaymentWithMethods = IncomingPaymentBase.extend({
  methods: z.array(z.object({ type: z.literal('ilp'), ilpAddress: z.string(), sharedSecret: z.string() })),
});
export const PublicIncomingPayment = z.object({ receivedAmount: AmountAnswer, authServer: z.string() });

export const QuoteAnswer = z.object({
  id: z.string(),
  walletAddress: z.string(),
  receiver: z.string(),
  receiveAmount: AmountAnswer,
  debitAmount: AmountAnswer,
  method: z.literal('ilp'),
  createdAt: z.string(),
  expiresAt: z.string(),
});

export const OutgoingPaymentAnswer = z.object({
  id: z.string(),
  walletAddress: z.string(),
  quoteId: z.string(),
  failed: z.boolean(),
  receiver: z.string(),
  receiveAmount: AmountAnswer,
  debitAmount: AmountAnswer,
  sentAmount: AmountAnswer,
  grantSpentDebitAmount: AmountAnswer.optional(),
  grantSpentReceiveAmount: AmountAnswer.optional(),
  metadata: MetadataAnswer.optional(),
  createdAt: z.string(),
  updatedAt: z.string().optional(),
});

export const SpentAnswer = z.object({ spentDebitAmount: AmountAnswer.nullable(), spentReceiveAmount: AmountAnswer.nullable() });

export const pageAnswer = <T extends z.ZodType>(item: T) =>
  z.object({
    pagination: z.object({
      startCursor: z.string().optional(),
      endCursor: z.string().optional(),
      hasNextPage: z.boolean(),
      hasPreviousPage: z.boolean(),
    }),
    result: z.array(item),
  });

export const HealthAnswer = z.object({ status: z.enum(['ok', 'stopped']) });
export const ReadyAnswer = z.object({ ready: z.literal(true) });
