import { KEY_GROUPS } from '../../people/key-groups.ts';
import { owner, ROLES } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { Id } from '../values.ts';

/** The most accounts of a key that is not for all. */
const MOST_ACCOUNTS = 50;

/** A key with which the shop's own software calls this API as a role. */
export const ApiKey = z.object({
  id: Id,
  name: z.string(),
  role: z.enum(ROLES),
  /** The groups of operations for which it was made; null for all that its role may do. */
  groups: z.array(z.enum(KEY_GROUPS)).nullable(),
  /** The accounts for which it was made; null for all. */
  accounts: z.array(z.object({ id: Id, publicName: z.string() })).nullable(),
  createdAt: z.date(),
  /** The time when it ends by itself; null for never. */
  expiresAt: z.date().nullable(),
  /** It is exact to a minute; null while nobody has used it. */
  lastUsedAt: z.date().nullable(),
  /** The time until which the value before the last rotation works, too; null when there is none. */
  formerEndsAt: z.date().nullable(),
  /** It waits for an owner to allow it again: the books were restored from a copy. */
  isPaused: z.boolean(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** A key with its value. The node tells it only this once. */
const NewValue = z.object({ key: ApiKey, value: z.string() });

const noSuchKey = { NOT_FOUND: { status: 404, message: texts.noSuchApiKey } } as const;

export const apiKeys = {
  list: reads(owner, 'The keys of the shop’s own software, without their values.')
    .route({ method: 'GET', path: '/api-keys' })
    .output(z.object({ keys: z.array(ApiKey) })),
  create: does(owner, 'sign_ins', 'api_key.created', 'Makes a key for software of the shop, with a role. Its value is told only now.')
    .route({ method: 'POST', path: '/api-keys' })
    .input(
      z.object({
        name: z.string().trim().min(1).max(60),
        /** A key is never as mighty as the owner. */
        role: z.enum(ROLES).exclude(['owner']),
        groups: z
          .array(z.enum(KEY_GROUPS))
          .min(1)
          .max(KEY_GROUPS.length)
          .nullable()
          .default(null)
          .describe('What it may do of what its role may. Null is all of it.'),
        accounts: z
          .array(Id)
          .min(1)
          .max(MOST_ACCOUNTS)
          .nullable()
          .default(null)
          .describe('The accounts that it may see and use. It then has only what can be bounded by accounts. Null is all accounts.'),
        expiresAt: z.date().nullable().default(null),
      }),
    )
    .errors({
      TOO_MANY_KEYS: { status: 409, message: texts.tooManyApiKeys },
      UNFIT_GROUP: { status: 400, message: texts.unfitKeyGroup },
      NOT_FOUND: { status: 404, message: texts.noSuchAccount },
      END_PAST: { status: 400, message: texts.apiKeyEndPast },
    })
    .output(NewValue),
  /** Gives the key another value. The present one works for 24 hours more. */
  rotate: does(owner, 'sign_ins', 'api_key.rotated', 'Gives a key another value. The present one works for 24 hours more.')
    .route({ method: 'POST', path: '/api-keys/{id}/rotate' })
    .input(z.object({ id: Id }))
    .errors(noSuchKey)
    .output(NewValue),
  /** Lets a key in again that was made before the books were restored. */
  allowAgain: does(owner, 'sign_ins', 'api_key.allowed_again', 'Lets a key in again that was made before a restore.')
    .route({ method: 'POST', path: '/api-keys/{id}/allow-again' })
    .input(z.object({ id: Id }))
    .errors(noSuchKey)
    .output(z.object({ allowed: z.literal(true) })),
  revoke: does(owner, 'sign_ins', 'api_key.revoked', 'Ends a key at once.')
    .route({ method: 'DELETE', path: '/api-keys/{id}' })
    .input(z.object({ id: Id }))
    .errors(noSuchKey)
    .output(z.object({ revoked: z.literal(true) })),
};
