import { MAX_MOVED } from '../amounts.ts';
import { managers, owner, readers } from '../people/roles.ts';
import { isWalletAddressName } from '../wallet-address-names.ts';
import { z } from '../zod.ts';
import { operatorErrors as texts } from './error-messages.ts';
import { does, reads } from './operation.ts';
import { AssetValue, Id, MovedValue, REQUEST_ID_TAKEN, RequestId, Units } from './values.ts';

/** An account of the operator: a wallet address with its money in one asset. */
export const Account = z.object({
  id: Id,
  /** The last part of the wallet address. */
  name: z.string(),
  /** The name that payers see. */
  publicName: z.string(),
  walletAddress: z.url(),
  ...AssetValue.shape,
  /** What the account may spend, in smallest units. */
  balance: Units,
  /** What is set aside for payments under way, in smallest units. */
  reserved: Units,
  createdAt: z.date(),
});
export type Account = z.infer<typeof Account>;

const AccountOrder = z.enum(['oldest', 'newest']);
export type AccountOrder = z.infer<typeof AccountOrder>;

/** One line of an account's book. */
export const Movement = z.object({
  id: Id,
  kind: z.enum(['deposit', 'withdrawal', 'received', 'sent', 'reserved', 'returned']),
  /** The change of the balance, in smallest units. It is negative when the balance falls. */
  change: Units,
  /** What the operator wrote about a deposit or withdrawal, or what a payment is for. */
  note: z.string().nullable(),
  /**
   * Who paid or was paid, as far as the node knows: the name of an account of this node, or the host of another wallet.
   */
  other: z.string().nullable(),
  paymentId: Id.nullable(),
  at: z.date(),
});
export type Movement = z.infer<typeof Movement>;

/** A public key. Apps sign requests with its private key in the name of this wallet address. */
export const ClientKey = z.object({
  id: Id,
  kid: z.string(),
  label: z.string(),
  createdAt: z.date(),
  revokedAt: z.date().nullable(),
});
export type ClientKey = z.infer<typeof ClientKey>;

/** A public key as the operator pastes it. */
const JwkText = z
  .string()
  .max(4096)
  .describe(
    'A public Ed25519 key as JSON text, or that text in base64: the JWK is a string inside the body, not an object. A private key is refused.',
  );
const note = z.string().trim().max(500);
const notFound = { NOT_FOUND: { status: 404, message: texts.noSuchAccount } };

export const accounts = {
  /** The account that was made first comes first, unless the newest are asked for. */
  list: reads(readers, 'The accounts with what they may spend, those made first in front. It can search their names.')
    .route({ method: 'GET', path: '/accounts' })
    .input(
      z.object({
        cursor: z.string().optional(),
        limit: z.number().int().min(1).max(100).default(50),
        /** A part of the account's name or of what payers see. */
        text: z.string().max(200).optional(),
        order: AccountOrder.default('oldest'),
      }),
    )
    .output(z.object({ items: z.array(Account), nextCursor: z.string().nullable() })),
  get: reads(readers, 'One account.')
    .route({ method: 'GET', path: '/accounts/{id}' })
    .input(z.object({ id: Id }))
    .errors(notFound)
    .output(Account),
  create: does(managers, 'accounts', 'account.created', 'Makes an account with a wallet address.')
    .route({ method: 'POST', path: '/accounts', successStatus: 201 })
    .input(
      z.object({
        requestId: RequestId,
        name: z.string().refine(isWalletAddressName, 'Use lower-case letters, digits and hyphens; some words are reserved.'),
        publicName: z.string().trim().min(1, 'Say what payers are to see.').max(100, 'What payers see can have 100 characters.'),
        ...AssetValue.shape,
        /** The money that the account begins with, in smallest units. The node records it as a first deposit. */
        openingBalance: Units.min(0n).max(MAX_MOVED),
      }),
    )
    .errors({ REQUEST_ID_TAKEN, NAME_TAKEN: { status: 409, message: texts.nameTaken } })
    .output(Account),
  movements: reads(readers, 'The lines of an account’s book, newest first.')
    .route({ method: 'GET', path: '/accounts/{id}/movements' })
    .input(z.object({ id: Id, cursor: z.string().optional(), limit: z.number().int().min(1).max(100).default(50) }))
    .errors(notFound)
    .output(z.object({ items: z.array(Movement), nextCursor: z.string().nullable() })),
  deposit: does(managers, 'money', 'account.deposited', 'Records money that was put into an account.')
    .route({ method: 'POST', path: '/accounts/{id}/deposits' })
    .input(z.object({ id: Id, requestId: RequestId, amount: MovedValue, note }))
    .errors({ ...notFound, REQUEST_ID_TAKEN, TOO_LARGE: { status: 400, message: texts.balanceTooLarge } })
    .output(Account),
  withdraw: does(managers, 'money', 'account.withdrawn', 'Records money that was taken out of an account.')
    .route({ method: 'POST', path: '/accounts/{id}/withdrawals' })
    .input(z.object({ id: Id, requestId: RequestId, amount: MovedValue, note }))
    .errors({ ...notFound, REQUEST_ID_TAKEN, INSUFFICIENT_BALANCE: { status: 409, message: texts.insufficientBalance } })
    .output(Account),
  keys: {
    list: reads(readers, 'The public keys that may sign in the name of a wallet address, revoked ones included.')
      .route({ method: 'GET', path: '/accounts/{id}/keys' })
      .input(z.object({ id: Id }))
      .errors(notFound)
      .output(z.array(ClientKey)),
    add: does(owner, 'accounts', 'client_key.added', 'Adds a public key, so that its holder may sign in the name of the wallet address.')
      .route({ method: 'POST', path: '/accounts/{id}/keys', successStatus: 201 })
      .input(z.object({ id: Id, label: z.string().trim().min(1).max(100), jwk: JwkText }))
      .errors({
        ...notFound,
        INVALID_KEY: { status: 400, message: texts.invalidKey },
        PRIVATE_KEY: { status: 400, message: texts.privateKey },
        KEY_ID_TAKEN: { status: 409, message: texts.keyIdTaken },
      })
      .output(ClientKey),
    revoke: does(owner, 'accounts', 'client_key.revoked', 'Revokes a public key for good.')
      .route({ method: 'DELETE', path: '/keys/{keyId}' })
      .input(z.object({ keyId: Id }))
      .errors(notFound)
      .output(ClientKey),
  },
};
