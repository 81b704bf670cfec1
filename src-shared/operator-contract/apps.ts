import { managers, readers } from '../people/roles.ts';
import { z } from '../zod.ts';
import { AccessRight, ClientIdentity } from './access.ts';
import { waitingErrors } from './console/second-person.ts';
import { operatorErrors as texts } from './error-messages.ts';
import { does, reads } from './operation.ts';
import { AmountValue, Counted, Id } from './values.ts';

/** The use of a limited right in its current window. */
export const Budget = z.object({
  limit: AmountValue,
  spent: AmountValue,
  kind: z.enum(['debit', 'receive']),
  windowStart: z.date().nullable(),
  /** The time when the next window begins and the budget is full again; null when there is no next one. */
  windowEnd: z.date().nullable(),
});
export type Budget = z.infer<typeof Budget>;

export const Token = z.object({
  id: Id,
  state: z.enum(['active', 'expired', 'rotated', 'revoked']),
  createdAt: z.date(),
  expiresAt: z.date(),
  /** Whether the operator has ended its value, and the client has not fetched the next one yet. */
  awaitsRotation: z.boolean(),
});
export type Token = z.infer<typeof Token>;

/** `expired`: the grant ended at the time that the operator had set. */
const GrantState = z.enum(['pending', 'approved', 'issued', 'denied', 'lapsed', 'revoked', 'expired', 'frozen']);

/** What one client may do because of one grant request. */
export const Grant = z.object({
  id: Id,
  client: ClientIdentity,
  state: GrantState,
  /** The granted rights, or those that the client asked for while the request is undecided. */
  access: z.array(AccessRight),
  /** The rights that the client asked for. The operator may have granted less. */
  asked: z.array(AccessRight),
  budgets: z.array(Budget),
  /** The tokens, the current one first. */
  tokens: z.array(Token),
  /** Whether the node asked the operator. */
  interactive: z.boolean(),
  /** How many payments were made with it. */
  payments: Counted,
  createdAt: z.date(),
  decidedAt: z.date().nullable(),
  /** The time when the grant ends by itself; null for never. */
  expiresAt: z.date().nullable(),
  /**
   * The last time that the node accepted a token of the grant; null for never. A crash can lose up to half a minute of
   * this.
   */
  lastUsedAt: z.date().nullable(),
});
export type Grant = z.infer<typeof Grant>;

/**
 * The share of the node that an app may use up: as little as a stranger, as much as an app that was allowed something,
 * or anything.
 */
export const Tier = z.enum(['stranger', 'known', 'trusted']);
export type Tier = z.infer<typeof Tier>;

/** The most that one app may use up in the long run. Null means no limit. */
const TierLimits = z.object({
  requestsPerSecond: z.number().nullable(),
  /** Requests that name the app's key and are refused. */
  failuresPerSecond: z.number().nullable(),
  /** Requests to other wallets that the app causes. */
  outboundPerSecond: z.number().nullable(),
  /** Bytes that stay on the node's disk. */
  bytesPerHour: z.number().nullable(),
  /**
   * The unpaid incoming payments, unused quotes and grants that nobody has allowed, as many as may lie here at once.
   */
  rows: z.number().nullable(),
  /** Milliseconds of the node's processor time in a second. */
  processorPerSecond: z.number().nullable(),
});

export const AppTrust = z.object({
  tier: Tier,
  /** The operator's choice; null while the usual tier holds. */
  chosen: Tier.nullable(),
  /** The tier of the app while the operator chooses nothing. */
  usual: Tier,
  /** False for accounts of this node, and for a client that is known only by its key. */
  canChoose: z.boolean(),
  limits: z.record(Tier, TierLimits),
});
export type AppTrust = z.infer<typeof AppTrust>;

export const apps = {
  /** Grants of every client. Ended grants stay in the list. */
  grants: reads(readers, 'Grants of every app, newest first, ended ones included.')
    .route({ method: 'GET', path: '/grants' })
    .input(
      z.object({
        cursor: z.string().optional(),
        limit: z.number().int().min(1).max(100).default(50),
        /**
         * `allowed`: what the operator allowed, and the requests whose page was opened. `free`: what nobody is asked
         * for, because it moves no money.
         */
        which: z.enum(['all', 'allowed', 'free']).default('all'),
        /** A part of the app's id or of the name that it gives itself. */
        text: z.string().max(200).optional(),
        /** Asks for grants that can be used, and that nobody has used for so many days. */
        unusedDays: z.number().int().min(1).max(3650).optional(),
        /**
         * Which come first: those made or used last (`newest`, `used`), those made first (`oldest`), or by the app's id
         * (`name`).
         */
        order: z.enum(['newest', 'oldest', 'used', 'name']).default('newest'),
      }),
    )
    .output(
      z.object({
        items: z.array(Grant),
        nextCursor: z.string().nullable(),
        /** How many apps may use a grant that nobody was asked for. */
        free: z.number().int(),
      }),
    ),
  grant: reads(readers, 'One grant.')
    .route({ method: 'GET', path: '/grants/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchGrant } })
    .output(Grant),
  /** The share that the app of a grant may use up, and what each choice allows. */
  trust: reads(readers, 'How much the app of a grant may use up, and what each choice allows.')
    .route({ method: 'GET', path: '/grants/{id}/trust' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchGrant } })
    .output(AppTrust),
  /** The choice holds for the app with all its grants. It counts at once, in another process within seconds. */
  chooseTrust: does(
    managers,
    'access',
    'client.trust_chosen',
    'Chooses how much the app of a grant may use up, with all its grants. It counts at once.',
  )
    .route({ method: 'PUT', path: '/grants/{id}/trust' })
    .input(z.object({ id: Id, tier: Tier.nullable() }))
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchGrant },
      NO_CHOICE: { status: 409, message: texts.noTrustChoice },
    })
    .output(AppTrust),
  /** Ends the current value of a token at once. The client fetches the next value with its key (decisions.md#D-41). */
  rotateToken: does(
    managers,
    'access',
    'token.rotated',
    'Ends the current value of a token at once. The app fetches the next value with its key.',
  )
    .route({ method: 'POST', path: '/tokens/{id}/rotate' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchToken },
      ENDED: { status: 409, message: texts.tokenEnded },
    })
    .output(Grant),
  revokeToken: does(managers, 'access', 'token.revoked', 'Ends a token. The grant gives no other.')
    .route({ method: 'DELETE', path: '/tokens/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchToken } })
    .output(Grant),
  /**
   * Makes a grant valid again that was frozen because the books came from a copy (decisions.md#D-43). What it had used
   * by then still counts.
   */
  allowAgain: does(
    managers,
    'access',
    'grant.allowed_again',
    'Lets a grant count again that is frozen since a restore. What it had used by then still counts.',
  )
    .route({ method: 'POST', path: '/grants/{id}/allow-again' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchGrant },
      NOT_FROZEN: { status: 409, message: texts.grantNotFrozen },
      ...waitingErrors,
    })
    .output(Grant),
  /** The grants that the operator had allowed and that are frozen since a restore, newest first, at most 100. */
  frozen: reads(readers, 'The grants that the operator had allowed and that are frozen since a restore, newest first, at most 100.')
    .route({ method: 'GET', path: '/grants/frozen' })
    .output(z.array(Grant)),
  /**
   * Lets several frozen grants count again. Those that are not frozen stay as they are. What is more than one person
   * may allow waits for a second person; what cannot wait is refused after the others.
   */
  allowSeveralAgain: does(
    managers,
    'access',
    'grant.allowed_again',
    'Lets several frozen grants count again. Those that are not frozen stay as they are.',
  )
    .route({ method: 'POST', path: '/grants/allow-again' })
    .input(z.object({ ids: z.array(Id).min(1).max(100) }))
    .errors(waitingErrors)
    .output(z.object({ allowed: z.number().int(), waiting: z.number().int() })),
  /** Ends every grant and every waiting request of an app, on all pages of the list. */
  revokeAll: does(managers, 'access', 'grant.revoked', 'Ends every grant and every waiting request of an app.')
    .route({ method: 'POST', path: '/grants/revoke-all' })
    .input(z.object({ client: z.string().min(1).max(2048) }))
    .output(z.object({ ended: z.number().int() })),
  /** Ends several grants at once. Those that have ended stay as they are. */
  revokeSeveral: does(managers, 'access', 'grant.revoked', 'Ends several grants with their tokens. The payments that they made stay.')
    .route({ method: 'POST', path: '/grants/revoke-several' })
    .input(z.object({ ids: z.array(Id).min(1).max(100) }))
    .output(z.object({ ended: z.number().int() })),
  revokeGrant: does(managers, 'access', 'grant.revoked', 'Ends a grant with its tokens. The payments that it made stay.')
    .route({ method: 'DELETE', path: '/grants/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchGrant } })
    .output(Grant),
};
