import { PROTECTED } from '../../people/protected.ts';
import { managers, owner, ROLES, till } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { AmountValue, AssetValue, ForeignAmount, Id, Units } from '../values.ts';

/** The operations that may wait for a second person. */
const WAITING_OPERATIONS = [
  'payments.pay',
  'refunds.create',
  'claims.make',
  'claims.refund',
  'approvals.approve',
  'apps.allowAgain',
  'secondPerson.set',
] as const;
export type WaitingOperation = (typeof WAITING_OPERATIONS)[number];

/** What an operation answers that waits now, or that nobody can wait with. Nothing was done. */
export const waitingErrors = {
  WAITS_FOR_SECOND: { status: 409, message: texts.waitsForSecond, data: z.object({ id: Id, expiresAt: z.date() }) },
  NEEDS_A_PERSON: { status: 403, message: texts.needsAPerson },
  TOO_MANY_WAITING: { status: 409, message: texts.tooManyWaiting },
  WAITING_ENDED: { status: 409, message: texts.waitingEnded },
} as const;

/** An act that waits for a second person, as both persons see it. */
export const WaitingAct = z.object({
  id: Id,
  operation: z.enum(WAITING_OPERATIONS),
  /** What it is about: the received payment of a refund, the grant request of an approval, a grant; null for others. */
  subject: z.string().nullable(),
  by: z.object({ kind: z.enum(['person', 'script', 'key']), id: z.string(), name: z.string(), role: z.enum(ROLES) }),
  /** The account that the money would leave. */
  accountName: z.string().nullable(),
  /** What would leave it, or may leave it; null for no limit. Of the setting: the amount above which two are needed. */
  amount: AmountValue.nullable(),
  /** What would arrive. */
  receiveAmount: ForeignAmount.nullable(),
  /** The payee, the payer who gets a refund, or the client. */
  whom: z.string().nullable(),
  note: z.string().nullable(),
  /** What the setting is about. */
  what: z.enum(PROTECTED).nullable(),
  createdAt: z.date(),
  expiresAt: z.date(),
  /** The SHA-256 of all that would be done. It goes back with a confirmation, which does exactly that. */
  hash: z.string(),
  /** Whether the caller has asked for it. */
  isYours: z.boolean(),
  /** Whether the caller may confirm or refuse it. */
  mayDecide: z.boolean(),
});
export type WaitingAct = z.infer<typeof WaitingAct>;

const NOT_WAITING = { status: 409, message: texts.notWaitingAnyMore };
const decisionErrors = {
  NOT_WAITING,
  SAME_PERSON: { status: 403, message: texts.samePerson },
  NEEDS_A_PERSON: waitingErrors.NEEDS_A_PERSON,
} as const;

/** Acts that wait for a second person. */
export const waiting = {
  /** All that wait, the oldest first; for a cashier their own. */
  list: reads(till, 'What waits for a second person.')
    .route({ method: 'GET', path: '/waiting' })
    .output(z.object({ items: z.array(WaitingAct) })),
  /** Does what waits, as it was shown, once. Only another person than the one who asked may confirm. */
  confirm: does(
    managers,
    'payments',
    'waiting_act.confirmed',
    'Confirms, as the second person, what another person has asked for. It is done as it was shown, once.',
  )
    .route({ method: 'POST', path: '/waiting/{id}/confirm' })
    .input(z.object({ id: Id, hash: z.string().max(100) }))
    .errors({
      ...decisionErrors,
      CHANGED: { status: 409, message: texts.waitingChanged },
      FIRST_GONE: { status: 409, message: texts.firstGone },
      NOT_ALLOWED_YOURSELF: { status: 403, message: texts.notAllowedYourself },
      PRICE_CHANGED: { status: 409, message: texts.priceChanged },
      CANNOT_BE_DONE: { status: 409, message: texts.cannotBeDone, data: z.object({ code: z.string() }) },
    })
    .output(z.object({ done: z.literal(true) })),
  /** Refuses what waits. */
  refuse: does(managers, 'payments', 'waiting_act.refused', 'Refuses what another person has asked for.')
    .route({ method: 'POST', path: '/waiting/{id}/refuse' })
    .input(z.object({ id: Id }))
    .errors(decisionErrors)
    .output(z.object({ refused: z.literal(true) })),
  /** Takes back what the caller has asked for. */
  withdraw: does(till, 'payments', 'waiting_act.withdrawn', 'Takes back what the caller has asked for.')
    .route({ method: 'POST', path: '/waiting/{id}/withdraw' })
    .input(z.object({ id: Id }))
    .errors({ NOT_WAITING })
    .output(z.object({ withdrawn: z.literal(true) })),
};

const SecondPersonLimit = AssetValue.extend({ what: z.enum(PROTECTED), above: Units.nonnegative() });
export type SecondPersonLimit = z.infer<typeof SecondPersonLimit>;

/** The amounts above which an act needs a second person. */
export const secondPerson = {
  /** The amounts, the currencies of the accounts, and whether there is somebody who may confirm. */
  get: reads(managers, 'Above which amounts a second person is needed.')
    .route({ method: 'GET', path: '/second-person' })
    .output(z.object({ limits: z.array(SecondPersonLimit), currencies: z.array(AssetValue), hasSecond: z.boolean() })),
  /** Sets an amount in a currency, or switches it off. A higher amount, or none, waits for a second person itself. */
  set: does(
    owner,
    'settings',
    'second_person.set',
    'Sets above which amount a second person is needed. Less protection waits for a second person itself.',
  )
    .route({ method: 'POST', path: '/second-person' })
    .input(
      AssetValue.extend({
        what: z.enum(PROTECTED),
        /** The amount, in smallest units. Null means that no second person is needed. */
        above: Units.nonnegative().nullable(),
      }),
    )
    .errors({ ...waitingErrors, NO_SECOND_PERSON: { status: 409, message: texts.noSecondPerson } })
    .output(z.object({ set: z.literal(true) })),
};
