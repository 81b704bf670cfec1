import { z } from 'zod';
import { operatorErrors as texts } from '../words/operator-errors.ts';
import { does, reads } from './operation.ts';
import { AmountValue, Id } from './values.ts';

/**
 * The client that asks. The host is verified, because its keys signed the request. The name is what the client says of
 * itself.
 */
export const ClientIdentity = z.object({
  /** The URL of the client's wallet address, or `jwk:` and the thumbprint of its key. */
  id: z.string(),
  /**
   * Host and path of the wallet address, such as `shop.example/till`. Null for a client that is known only by its key.
   */
  host: z.string().nullable(),
  selfAssertedName: z.string().nullable(),
});
export type ClientIdentity = z.infer<typeof ClientIdentity>;

/** One access right, as asked for or as granted. */
export const AccessRight = z.object({
  type: z.enum(['incoming-payment', 'outgoing-payment', 'quote']),
  actions: z.array(z.enum(['create', 'complete', 'read', 'read-all', 'list', 'list-all'])),
  /** The wallet address that the right is for. Null for every wallet address of this node. */
  identifier: z.string().nullable(),
  limits: z
    .object({
      receiver: z.string().nullable(),
      /** The repeating interval as the client asked for it (ISO 8601). */
      interval: z.string().nullable(),
      debitAmount: AmountValue.nullable(),
      receiveAmount: AmountValue.nullable(),
    })
    .nullable(),
});
export type AccessRight = z.infer<typeof AccessRight>;

/** How much of a limited right has been used in its current window. */
export const Budget = z.object({
  limit: AmountValue,
  spent: AmountValue,
  kind: z.enum(['debit', 'receive']),
  windowStart: z.date().nullable(),
  /** When the next window begins and the budget is full again; null when there is no next one. */
  windowEnd: z.date().nullable(),
});
export type Budget = z.infer<typeof Budget>;

/** A grant request that waits for the operator's decision. */
export const ApprovalRequest = z.object({
  id: Id,
  client: ClientIdentity,
  access: z.array(AccessRight),
  /** The wallet address of which the client wants proof, if it asked for one. */
  subject: z.string().nullable(),
  /** The account that the money would come from. */
  account: z.object({ id: Id, name: z.string(), publicName: z.string(), walletAddress: z.url() }).nullable(),
  /** The next windows of a repeating limit, at most three. The console shows them as dates. */
  nextWindows: z.array(z.object({ start: z.date(), end: z.date() })),
  /** Where the browser goes after the decision; null when the client only waits. */
  returnsTo: z.url().nullable(),
  /** Whether the request's page has been opened, so that there is a code to type. */
  opened: z.boolean(),
  /**
   * Whether it asks to create outgoing payments without a limit on the amount. The operator must then set a limit or
   * type the account's name.
   */
  unlimited: z.boolean(),
  wrongCodes: z.number().int(),
  createdAt: z.date(),
  lapsesAt: z.date(),
  /**
   * SHA-256 of the stored request. The console sends it back with the decision, so that the operator approves exactly
   * what was shown (decisions.md#D-33). It leaves out what changes with time or with a wrong code: `nextWindows`,
   * `opened`, `wrongCodes`.
   */
  shownHash: z.string(),
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

const decisionErrors = {
  NOT_FOUND: { status: 404, message: texts.requestGone },
  NOT_WAITING: { status: 409, message: texts.requestNotWaiting },
  CHANGED: { status: 409, message: texts.requestChanged },
};

export const approvals = {
  /** Grant requests whose page was opened and that wait for a decision, oldest first. */
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
         * The most that may leave the account, in its smallest units. It can lower what was asked for, never raise it.
         * It is required for a request without a limit, unless the account's name is given.
         */
        debitLimit: z.bigint().positive().optional(),
        /**
         * The most that may arrive, in smallest units of the asset asked for. It can lower what was asked for, never
         * raise it.
         */
        receiveLimit: z.bigint().positive().optional(),
        /** The typed name of the account. It allows any amount, for a request without a limit on the amount. */
        unlimitedForAccountNamed: z.string().optional(),
        /** When everything that the request allows ends. Without it, nothing ends by itself. */
        expiresAt: z.date().optional(),
      }),
    )
    .errors({
      ...decisionErrors,
      WRONG_CODE: { status: 400, message: texts.wrongCode, data: z.object({ attemptsLeft: z.number().int() }) },
      LIMIT_NEEDED: { status: 400, message: texts.limitNeeded },
      NOTHING_TO_LIMIT: { status: 400, message: texts.nothingToLimit },
      EXPIRY_PAST: { status: 400, message: texts.permissionEndPast },
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
  /** The operator has ended its value, and the client has not fetched the next one yet. */
  awaitsRotation: z.boolean(),
});
export type Token = z.infer<typeof Token>;

/** `expired`: the grant ended at the time that the operator had set. */
export const GrantState = z.enum(['pending', 'approved', 'issued', 'denied', 'lapsed', 'revoked', 'expired', 'frozen']);

/** What one client may do because of one grant request. */
export const Grant = z.object({
  id: Id,
  client: ClientIdentity,
  state: GrantState,
  /** What the client may do: the granted rights, or the rights asked for while the request is undecided. */
  access: z.array(AccessRight),
  /** What the client asked for. The operator may have granted less. */
  asked: z.array(AccessRight),
  budgets: z.array(Budget),
  /** The current token first. */
  tokens: z.array(Token),
  /** Whether the operator was asked. */
  interactive: z.boolean(),
  payments: z.number().int(),
  createdAt: z.date(),
  decidedAt: z.date().nullable(),
  /** When the grant ends by itself; null for never. */
  expiresAt: z.date().nullable(),
  /** When the node last accepted a token of the grant; null for never. A crash can lose up to half a minute of this. */
  lastUsedAt: z.date().nullable(),
});
export type Grant = z.infer<typeof Grant>;

export const apps = {
  /** Grants of every client, newest first. Ended grants stay in the list. */
  grants: reads
    .route({ method: 'GET', path: '/grants' })
    .input(z.object({ cursor: z.string().optional(), limit: z.number().int().min(1).max(100).default(50) }))
    .output(z.object({ items: z.array(Grant), nextCursor: z.string().nullable() })),
  grant: reads
    .route({ method: 'GET', path: '/grants/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchGrant } })
    .output(Grant),
  /** Ends the current value of a token at once. The client fetches the next value with its key (decisions.md#D-41). */
  rotateToken: does('access', 'token.rotated')
    .route({ method: 'POST', path: '/tokens/{id}/rotate' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchToken },
      ENDED: { status: 409, message: texts.tokenEnded },
    })
    .output(Grant),
  revokeToken: does('access', 'token.revoked')
    .route({ method: 'DELETE', path: '/tokens/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchToken } })
    .output(Grant),
  /**
   * Makes a grant valid again that was frozen because the books came from a copy (decisions.md#D-43). What it had used
   * by then still counts.
   */
  allowAgain: does('access', 'grant.allowed_again')
    .route({ method: 'POST', path: '/grants/{id}/allow-again' })
    .input(z.object({ id: Id }))
    .errors({
      NOT_FOUND: { status: 404, message: texts.noSuchGrant },
      NOT_FROZEN: { status: 409, message: texts.grantNotFrozen },
    })
    .output(Grant),
  /** Ends every grant and every waiting request of an app, on all pages of the list. */
  revokeAll: does('access', 'grant.revoked')
    .route({ method: 'POST', path: '/grants/revoke-all' })
    .input(z.object({ client: z.string().min(1).max(2048) }))
    .output(z.object({ ended: z.number().int() })),
  revokeGrant: does('access', 'grant.revoked')
    .route({ method: 'DELETE', path: '/grants/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: { status: 404, message: texts.noSuchGrant } })
    .output(Grant),
};
