import { isNodeAddress } from '../../../src-shared/ilp-address.ts';
import { PeerToken } from '../../../src-shared/operator-contract/peers.ts';
import { AssetValue } from '../../../src-shared/operator-contract/values.ts';
import { z } from '../../../src-shared/zod.ts';

/** What two nodes tell each other so that they become peers (decisions.md#D-160). */

/** 16 bytes, and 32 bytes, as base64url. */
const Secret = z.string().regex(/^[\w-]{22}$/);
const Nonce = z.string().regex(/^[\w-]{43}$/);
/** An amount in smallest units, from 0 to 2^63−1. */
const UnitsText = z
  .string()
  .regex(/^(0|[1-9]\d{0,18})$/)
  .refine((text) => BigInt(text) < 2n ** 63n);
const Origin = z
  .string()
  .max(300)
  .refine((text) => URL.parse(text)?.origin === text);
const NodeAddress = z.string().refine(isNodeAddress);
/** Who somebody is, in their own words. */
const Introduction = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(/^\P{Cc}*$/u);

/** What has become of an invitation. */
const Standing = z.enum(['open', 'expired', 'used', 'cancelled']);

/** `POST /ilp/invitations/read` */
export const ReadBody = z.object({ secret: Secret });
export const ReadAnswer = z.object({
  standing: Standing,
  introduction: Introduction,
  ...AssetValue.shape,
  /** The most that whoever accepts may owe the node that invites. */
  creditLimit: UnitsText,
  expiresAt: z.string().max(40),
});
export type ReadAnswer = z.infer<typeof ReadAnswer>;

/** `POST /ilp/invitations/accept` */
export const AcceptBody = z.object({
  secret: Secret,
  /** Names the acceptance. Only the two nodes know it, so it proves the call back. */
  nonce: Nonce,
  /** The address at which the node that accepts is called back. */
  origin: Origin,
  /** The terms as the operator has read them. */
  ...AssetValue.shape,
  creditLimit: UnitsText,
});
export type AcceptBody = z.infer<typeof AcceptBody>;

const ACCEPT_OUTCOMES = [
  'accepted',
  'expired',
  'used',
  'cancelled',
  'changed',
  'same_node',
  'not_called_back',
  'already_peers',
  'address_taken',
  'both_at_once',
] as const;
export type AcceptOutcome = (typeof ACCEPT_OUTCOMES)[number];
export const AcceptAnswer = z.object({ outcome: z.enum(ACCEPT_OUTCOMES) });

/** `POST /ilp/invitations/confirm`: the call back. Each side tells its address, and the token that it takes. */
export const ConfirmBody = z.object({ nonce: Nonce, ilpAddress: NodeAddress, token: PeerToken });
export type ConfirmBody = z.infer<typeof ConfirmBody>;
export const ConfirmAnswer = z.object({
  ilpAddress: NodeAddress,
  token: PeerToken,
  introduction: Introduction,
  /** The most that the node that invites may owe the one that accepts. */
  creditLimit: UnitsText,
});
export type ConfirmAnswer = z.infer<typeof ConfirmAnswer>;
