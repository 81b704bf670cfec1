import { z } from 'zod';
import { does, reads } from './operation.ts';
import { AmountValue, Id } from './values.ts';

/** Who asks. The host is verified (its keys signed the request), the name is what it says of itself. */
export const ClientIdentity = z.object({
  /** The wallet address URL, or `jwk:` and a key thumbprint. */
  id: z.string(),
  /** Host and path of the wallet address, such as `shop.example/till`; null for a client known by its key only. */
  host: z.string().nullable(),
  selfAssertedName: z.string().nullable(),
});
export type ClientIdentity = z.infer<typeof ClientIdentity>;

/** One right, as asked for or as granted. */
export const AccessRight = z.object({
  type: z.enum(['incoming-payment', 'outgoing-payment', 'quote']),
  actions: z.array(z.enum(['create', 'complete', 'read', 'read-all', 'list', 'list-all'])),
  /** The wallet address it is for; null for every one of this node. */
  identifier: z.string().nullable(),
  limits: z
    .object({
      receiver: z.string().nullable(),
      /** The repeating interval as asked for (ISO 8601). */
      interval: z.string().nullable(),
      debitAmount: AmountValue.nullable(),
      receiveAmount: AmountValue.nullable(),
    })
    .nullable(),
});
export type AccessRight = z.infer<typeof AccessRight>;

/** What has been used of a limited right in its current window. */
export const Budget = z.object({
  limit: AmountValue,
  spent: AmountValue,
  kind: z.enum(['debit', 'receive']),
  windowStart: z.date().nullable(),
  /** When the budget is full again; null when it never is. */
  windowEnd: z.date().nullable(),
});
export type Budget = z.infer<typeof Budget>;

/** A request that waits for the operator. */
export const ApprovalRequest = z.object({
  id: Id,
  client: ClientIdentity,
  access: z.array(AccessRight),
  /** The wallet address the client wants proof for, if it asked for one. */
  subject: z.string().nullable(),
  /** The account the money would come from. */
  account: z.object({ id: Id, name: z.string(), publicName: z.string(), walletAddress: z.url() }).nullable(),
  /** The next windows of a repeating limit (at most three), so that an interval can be told in dates. */
  nextWindows: z.array(z.object({ start: z.date(), end: z.date() })),
  /** Where the browser goes afterwards; null when the client only waits. */
  returnsTo: z.url().nullable(),
  /** Whether its page has been opened, so that there is a code to type. */
  opened: z.boolean(),
  /** `create` on outgoing payments without any amount limit: the operator must set one or name the account. */
  unlimited: z.boolean(),
  wrongCodes: z.number().int(),
  createdAt: z.date(),
  lapsesAt: z.date(),
  /**
   * SHA-256 over what was asked, as stored; sent back with the decision, so that what is approved is what was shown. Left out is what
   * time or a mistyped code changes by itself: `nextWindows`, `opened`, `wrongCodes`.
   */
  shownHash: z.string(),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

const decisionErrors = {
  NOT_FOUND: { status: 404, message: 'This request is not there any more.' },
  NOT_WAITING: { status: 409, message: 'This request has been decided or has lapsed.' },
  CHANGED: { status: 409, message: 'This request changed since it was shown. Read it again before you decide.' },
};

export const approvals = {
  /** Requests whose page was opened and that wait for a decision, oldest first. */
  list: reads.route({ method: 'GET', path: '/approvals' }).output(z.array(ApprovalRequest)),
  get: reads
    .route({ method: 'GET', path: '/approvals/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: decisionErrors.NOT_FOUND })
    .output(ApprovalRequest),
  approve: does('access', 'grant.approved')
    .route({ method: 'POST', path: '/approvals/{id}/approve' })
    .input(
      z.object({
        id: Id,
        code: z.string().regex(/^\d{4}$/),
        shownHash: z.string(),
        /**
         * The most that may leave the account, in smallest units of it: lowers what was asked for, never raises it. Needed for a request
         * without an amount limit.
         */
        debitLimit: z.bigint().positive().optional(),
        /** The most that may arrive, in smallest units of the asset asked for: lowers what was asked for, never raises it. */
        receiveLimit: z.bigint().positive().optional(),
        /** For a request without an amount limit, instead of one: the account's name, typed, to allow any amount. */
        unlimitedForAccountNamed: z.string().optional(),
        /** When everything it allows ends; without it, it does not end by itself. */
        expiresAt: z.date().optional(),
      }),
    )
    .errors({
      ...decisionErrors,
      WRONG_CODE: { status: 400, message: 'That is not the code on the page.', data: z.object({ attemptsLeft: z.number().int() }) },
      LIMIT_NEEDED: { status: 400, message: 'Set an amount, or type the name of the account to allow any amount.' },
      NOTHING_TO_LIMIT: { status: 400, message: 'The request has no such amount that could be lowered.' },
      EXPIRY_PAST: { status: 400, message: 'The end of a permission must lie in the future.' },
    })
    .output(z.object({ approved: z.literal(true) })),
  deny: does('access', 'grant.denied')
    .route({ method: 'POST', path: '/approvals/{id}/deny' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: decisionErrors.NOT_FOUND, NOT_WAITING: decisionErrors.NOT_WAITING })
    .output(z.object({ denied: z.literal(true) })),
};

export const Token = z.object({
  id: Id,
  state: z.enum(['active', 'expired', 'rotated', 'revoked']),
  createdAt: z.date(),
  expiresAt: z.date(),
  /** Ended by the operator and not fetched anew by its client yet. */
  awaitsRotation: z.boolean(),
});
export type Token = z.infer<typeof Token>;

/** `expired`: it ended at the moment the operator had set. */
export const GrantState = z.enum(['pending', 'approved', 'issued', 'denied', 'lapsed', 'revoked', 'expired', 'frozen']);

/** What one client may do, since one request. */
export const Grant = z.object({
  id: Id,
  client: ClientIdentity,
  state: GrantState,
  /** What it may do: as granted, or as asked for while that is undecided. */
  access: z.array(AccessRight),
  /** What it asked for; the operator may have granted less. */
  asked: z.array(AccessRight),
  budgets: z.array(Budget),
  /** Current token first. */
  tokens: z.array(Token),
  /** Whether the operator was asked. */
  interactive: z.boolean(),
  payments: z.number().int(),
  createdAt: z.date(),
  decidedAt: z.date().nullable(),
  /** When everything it allows ends by itself; null for never. */
  expiresAt: z.date().nullable(),
  /** When a token of it last passed; null for never. After a crash up to half a minute of it is forgotten. */
  lastUsedAt: z.date().nullable(),
});
export type Grant = z.infer<typeof Grant>;

export const apps = {
  /** Grants of every client, newest first; ended ones stay listed. */
  grants: reads
    .route({ method: 'GET', path: '/grants' })
    .input(z.object({ cursor: z.string().optional(), limit: z.number().int().min(1).max(100).default(50) }))
    .output(z.object({ items: z.array(Grant), nextCursor: z.string().nullable() })),
  grant: reads
    .route({ method: 'GET', path: '/grants/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: 'There is no such grant.' } })
    .output(Grant),
  /** Ends the current value of a token at once; its client gets the next one with its key. */
  rotateToken: does('access', 'token.rotated')
    .route({ method: 'POST', path: '/tokens/{id}/rotate' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: 'There is no such token.' },
      ENDED: { status: 409, message: 'This token was replaced or revoked before.' },
    })
    .output(Grant),
  revokeToken: does('access', 'token.revoked')
    .route({ method: 'DELETE', path: '/tokens/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: 'There is no such token.' } })
    .output(Grant),
  /** Lets a grant count again that was frozen because the books were put back from a copy; what it had used by then still counts. */
  allowAgain: does('access', 'grant.allowed_again')
    .route({ method: 'POST', path: '/grants/{id}/allow-again' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: 'There is no such grant.' },
      NOT_FROZEN: { status: 409, message: 'This grant is not frozen.' },
    })
    .output(Grant),
  /** Ends everything an app may do or waits for, whatever page of the list it is on. */
  revokeAll: does('access', 'grant.revoked')
    .route({ method: 'POST', path: '/grants/revoke-all' })
    .input(z.object({ client: z.string().min(1).max(2048) }))
    .output(z.object({ ended: z.number().int() })),
  revokeGrant: does('access', 'grant.revoked')
    .route({ method: 'DELETE', path: '/grants/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: 'There is no such grant.' } })
    .output(Grant),
};
