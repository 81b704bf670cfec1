import { managers, readers } from '../people/roles.ts';
import { z } from '../zod.ts';
import { AccessRight, ClientIdentity } from './access.ts';
import { waitingErrors } from './console/second-person.ts';
import { operatorErrors as texts } from './error-messages.ts';
import { does, reads } from './operation.ts';
import { AmountValue, Id, Units } from './values.ts';

/**
 * SHA-256 of the stored request (decisions.md#D-33). It leaves out what changes with time or with a wrong code:
 * `payee`, `suggestedLimit`, `nextWindows`, `opened`, `wrongCodes`.
 */
const ShownHash = z
  .string()
  .describe('A hash of the request. It goes back with the decision, so that the node approves exactly what was shown to the operator.');

/** A grant request that waits for the operator's decision. */
export const ApprovalRequest = z.object({
  id: Id,
  client: ClientIdentity,
  access: z.array(AccessRight),
  /** The wallet address of which the client wants proof, if it asked for one. */
  subject: z.string().nullable(),
  /** The account that the money would come from. */
  account: z.object({ id: Id, name: z.string(), publicName: z.string(), walletAddress: z.url() }).nullable(),
  /**
   * Whose receiver is the only one that may be paid, as the receiver's own wallet says; null while the node does not
   * know. What the wallet calls itself is a stranger's text.
   */
  payee: z.object({ receiver: z.string(), walletAddress: z.string(), publicName: z.string().nullable() }).nullable(),
  /**
   * The next windows of a repeating limit, at most three. The console shows them as dates. There are none for a limit
   * that begins anew more than 24 times a day.
   */
  nextWindows: z.array(z.object({ start: z.date(), end: z.date() })),
  /** The URL to which the browser goes after the decision; null when the client only waits. */
  returnsTo: z.url().nullable(),
  /** Whether the request's page has been opened, so that there is a code to type. */
  opened: z.boolean(),
  /**
   * Whether it asks to create outgoing payments and names no limit that bounds what leaves the account: none at all,
   * one only on what arrives, one beyond any account, or one that begins anew more than 24 times a day
   * (decisions.md#D-30). The operator must then set a limit or type the account's name.
   */
  unlimited: z.boolean(),
  /**
   * A limit that fits what may arrive: what that costs now by the node's own rates, and two percent. It is null when
   * `unlimited` is false, and when there is nothing to go by. It counts only when it is sent back as `debitLimit`.
   */
  suggestedLimit: AmountValue.nullable(),
  wrongCodes: z.number().int(),
  createdAt: z.date(),
  lapsesAt: z.date(),
  shownHash: ShownHash,
});
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;

const decisionErrors = {
  NOT_FOUND: { status: 404, message: texts.requestGone },
  NOT_WAITING: { status: 409, message: texts.requestNotWaiting },
  CHANGED: { status: 409, message: texts.requestChanged },
};

export const approvals = {
  /** Grant requests whose page was opened and that wait for a decision, oldest first. */
  list: reads(readers, 'Grant requests whose page was opened and that wait for a decision, oldest first.')
    .route({ method: 'GET', path: '/approvals' })
    .output(z.array(ApprovalRequest)),
  get: reads(readers, 'One grant request that waits.')
    .route({ method: 'GET', path: '/approvals/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: decisionErrors.NOT_FOUND })
    .output(ApprovalRequest),
  approve: does(managers, 'access', 'grant.approved', 'Approves a grant request as it was shown, or with lower limits.')
    .route({ method: 'POST', path: '/approvals/{id}/approve' })
    .input(
      z.object({
        id: Id,
        code: z
          .string()
          .regex(/^\d{4}$/)
          .describe('The four digits that the page of the request shows to the person who asks.'),
        shownHash: ShownHash,
        /**
         * The most that may leave the account, in its smallest units. It can lower what was asked for, never raise it.
         * It is required for a request that is `unlimited`, unless the account's name is given. It holds in each window
         * of the interval that was asked for. Instead of limits that begin too often it holds once and for all.
         */
        debitLimit: Units.positive().optional(),
        /**
         * The most that may arrive, in smallest units of the asset asked for. It can lower what was asked for, never
         * raise it.
         */
        receiveLimit: Units.positive().optional(),
        unlimitedForAccountNamed: z
          .string()
          .optional()
          .describe(
            'The name of the account, as its operator types it. It allows any amount, for a request that is `unlimited` and gets no `debitLimit`.',
          ),
        /** The time when everything ends that the request allows. Without it, nothing ends by itself. */
        expiresAt: z.date().optional(),
      }),
    )
    .errors({
      ...decisionErrors,
      WRONG_CODE: { status: 400, message: texts.wrongCode, data: z.object({ attemptsLeft: z.number().int() }) },
      LIMIT_NEEDED: { status: 400, message: texts.limitNeeded },
      NOTHING_TO_LIMIT: { status: 400, message: texts.nothingToLimit },
      EXPIRY_PAST: { status: 400, message: texts.permissionEndPast },
      ...waitingErrors,
    })
    .output(z.object({ approved: z.literal(true) })),
  deny: does(managers, 'access', 'grant.denied', 'Denies a grant request.')
    .route({ method: 'POST', path: '/approvals/{id}/deny' })
    .input(z.object({ id: Id }))
    .errors({ NOT_FOUND: decisionErrors.NOT_FOUND, NOT_WAITING: decisionErrors.NOT_WAITING })
    .output(z.object({ denied: z.literal(true) })),
};
