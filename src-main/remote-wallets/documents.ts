import { isValidIlpAddress } from 'ilp-packet';
import { z } from 'zod';
import { type Amount, parseUint64 } from '../../src-shared/amounts.ts';

/** What other wallets answer, parsed at the door. Members this node has no use for are dropped, whatever they hold. */

/** An http URL without user information, as text: ids are compared and sent back as they came. */
const HttpUrl = z
  .string()
  .max(2048)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  });

/** Nothing that could end a header line; 4096 characters are more than any server sends. */
const Token = z.string().regex(/^[A-Za-z0-9._~+/=-]{1,4096}$/);

/** A name of money, fit to be shown. */
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

/** Wallet address document (facts §8). */
export const WalletAddressDocument = z.object({
  id: HttpUrl,
  publicName: z.string().max(2048).optional().catch(undefined),
  assetCode: AssetCode,
  assetScale: AssetScale,
  authServer: HttpUrl,
  resourceServer: HttpUrl.transform((url) => url.replace(/\/$/, '')),
});

/** What an incoming payment shows to everybody. */
export const PublicIncomingPaymentDocument = z.object({ authServer: HttpUrl });

/** 32 bytes as base64url; some wallets pad, or use the standard alphabet. */
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

/** An incoming payment as whoever may read it sees it (facts §7.1). Of the ways to pay it only ILP is taken, and only if it is whole. */
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

/** A new access token; `expires_in` in seconds. A server that writes it as text or nonsense is one that has not said. */
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
export type AccessToken = z.infer<typeof AccessToken>;

/** Seconds; facts §6.3 has 5 where nothing is said. */
const Wait = z.int().min(0).max(86_400).catch(5);
const Continuation = z.object({ uri: HttpUrl, wait: Wait.default(5), access_token: z.object({ value: Token }) });

/** Answer to a grant request that needs nobody, or to a rotation. Some servers send `continue` as a list; it is not needed here. */
export const TokenDocument = z.object({ access_token: AccessToken });

/** Answer to a grant request that somebody must approve. */
export const PendingGrantDocument = z.object({
  interact: z.object({ redirect: HttpUrl, finish: z.string().min(1).max(1024) }),
  continue: Continuation,
});

/** Answer to a continuation: the token, or when to ask again. */
export const ContinuedGrantDocument = z.union([TokenDocument, z.object({ continue: Continuation })]);

export const QuoteDocument = z.object({
  id: HttpUrl,
  receiver: HttpUrl,
  debitAmount: WireAmount,
  receiveAmount: WireAmount,
  expiresAt: DateTime.optional(),
});

export const OutgoingPaymentDocument = z.object({
  id: HttpUrl,
  receiver: HttpUrl,
  debitAmount: WireAmount,
  receiveAmount: WireAmount,
  sentAmount: WireAmount,
  failed: z.boolean().default(false),
});

/** The words of an error, where they can be read. */
export const ErrorDocument = z.object({ error: z.object({ code: z.string().optional(), description: z.string().optional() }) });
