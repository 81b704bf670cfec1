import { isValidIlpAddress } from 'ilp-packet';
import { type Amount, parseUint64 } from '../../src-shared/amounts.ts';
import { z } from '../../src-shared/zod.ts';

/**
 * What other wallets answer, parsed where it comes in. Members for which this node has no use are dropped, whatever
 * they hold.
 */

/** An http URL without user information. It stays text, because ids are compared and sent back as they came. */
const HttpUrl = z
  .string()
  .max(2048)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  });

/** It has nothing that could end a header line. 4096 characters are more than any server sends. */
const Token = z.string().regex(/^[A-Za-z0-9._~+/=-]{1,4096}$/);

/** A name of money that is fit to be shown. */
const AssetCode = z.string().regex(/^[\p{L}\p{N}\p{P}\p{S}]{1,64}$/u);
const AssetScale = z.int().min(0).max(255);

const WireAmount = z
  .object({ value: z.string().max(20), assetCode: AssetCode, assetScale: AssetScale })
  .transform(({ value, assetCode, assetScale }, context): Amount => {
    const parsed = parseUint64(value);
    if (parsed === undefined) context.addIssue({ code: 'custom', message: 'not an unsigned 64-bit integer' });
    return { value: parsed ?? 0n, assetCode, assetScale };
  });

/** Milliseconds since the Unix epoch. */
const DateTime = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

/** A wallet address document (protocol-notes.md#PN-26). */
export const WalletAddressDocument = z.object({
  id: HttpUrl,
  publicName: z.string().max(2048).optional().catch(undefined),
  assetCode: AssetCode,
  assetScale: AssetScale,
  authServer: HttpUrl,
  resourceServer: HttpUrl.transform((url) => url.replace(/\/$/, '')),
});

/** The part of an incoming payment that everybody sees. */
export const PublicIncomingPaymentDocument = z.object({ authServer: HttpUrl });

/** 32 bytes as base64url. Some wallets pad, or use the standard alphabet. */
const SharedSecret = z
  .string()
  .max(64)
  .transform((text, context) => {
    const plain = text.replace(/=$/, '').replaceAll('+', '-').replaceAll('/', '_');
    const bytes = Buffer.from(plain, 'base64url');
    if (bytes.length !== 32 || bytes.toString('base64url') !== plain) context.addIssue({ code: 'custom', message: 'not 32 bytes' });
    return bytes;
  });
const IlpMethod = z.object({
  type: z.literal('ilp'),
  ilpAddress: z
    .string()
    .max(1023)
    .refine((text): boolean => isValidIlpAddress(text)),
  sharedSecret: SharedSecret,
});

/**
 * An incoming payment for those who may read it (protocol-notes.md#PN-02). Of the ways to pay it, the node takes only
 * ILP, and only if it is complete.
 */
export const IncomingPaymentDocument = z.object({
  id: HttpUrl,
  walletAddress: HttpUrl,
  completed: z.boolean().default(false),
  incomingAmount: WireAmount.optional(),
  receivedAmount: WireAmount,
  expiresAt: DateTime.optional(),
  methods: z
    .array(z.unknown())
    .max(20)
    .transform((methods) => methods.map((method) => IlpMethod.safeParse(method)).find(({ success }) => success)?.data),
});

/** A new access token. `expires_in` is in seconds. A server that writes it as text or nonsense has not said it. */
const AccessToken = z.object({
  value: Token,
  manage: HttpUrl,
  expires_in: z
    .int()
    .min(0)
    .max(2 ** 31)
    .optional()
    .catch(undefined),
});
/** An access token in the form of its server. */
export type AccessToken = z.infer<typeof AccessToken>;

/** A wait, in seconds. Without a value it is 5 (protocol-notes.md#PN-20). */
const Wait = z.int().min(0).max(86_400).catch(5);
const Continuation = z.object({ uri: HttpUrl, wait: Wait.default(5), access_token: z.object({ value: Token }) });

/**
 * The answer to a grant request that needs no approval, or to a rotation. Some servers send `continue` as a list; this
 * node does not need it here.
 */
export const TokenDocument = z.object({ access_token: AccessToken });

/** The answer to a grant request that a person must approve. */
export const PendingGrantDocument = z.object({
  interact: z.object({ redirect: HttpUrl, finish: z.string().min(1).max(1024) }),
  continue: Continuation,
});

/** The answer to a continuation: the token, or when to ask again. */
export const ContinuedGrantDocument = z.union([TokenDocument, z.object({ continue: Continuation })]);

/** A quote of another wallet. */
export const QuoteDocument = z.object({
  id: HttpUrl,
  receiver: HttpUrl,
  debitAmount: WireAmount,
  receiveAmount: WireAmount,
  expiresAt: DateTime.optional(),
});

/** An outgoing payment of another wallet. */
export const OutgoingPaymentDocument = z.object({
  id: HttpUrl,
  receiver: HttpUrl,
  debitAmount: WireAmount,
  receiveAmount: WireAmount,
  sentAmount: WireAmount,
  failed: z.boolean().default(false),
});

/** An outgoing payment in the list of a wallet address. */
export const HistoryPaymentDocument = OutgoingPaymentDocument.extend({
  walletAddress: HttpUrl,
  createdAt: DateTime.optional().catch(undefined),
});

/** A page of such a list. The node leaves out later what is no payment. */
export const HistoryPageDocument = z.object({
  pagination: z.object({ endCursor: z.string().min(1).max(512).optional().catch(undefined), hasNextPage: z.boolean() }),
  result: z.array(z.unknown()).max(1_000),
});

/** The words of an error, where they can be read. */
export const ErrorDocument = z.object({ error: z.object({ code: z.string().optional(), description: z.string().optional() }) });
