import { managers } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { Id } from '../values.ts';

/**
 * - `waiting`: no device is paired; a pairing link waits for one, or has ended;
 * - `active`: its device may sell;
 * - `paused`: it is refused until somebody lets it go on.
 */
const TILL_STATES = ['waiting', 'active', 'paused'] as const;

/** A phone or tablet that is a till. */
export const PairedTill = z.object({
  id: Id,
  name: z.string(),
  /** The account into which it sells. Null for every account. */
  account: z.object({ id: Id, publicName: z.string() }).nullable(),
  state: z.enum(TILL_STATES),
  /** The end of the pairing link that waits for a device; null when none waits. */
  linkEndsAt: z.date().nullable(),
  /** What the browser of the device calls itself; null while no device is paired. */
  userAgent: z.string().nullable(),
  /** Who added it. It is empty for an owner without a name. */
  madeBy: z.string(),
  createdAt: z.date(),
  /** It is exact to a minute; null while no device has used it. */
  lastUsedAt: z.date().nullable(),
});
export type PairedTill = z.infer<typeof PairedTill>;

const TillName = z.string().trim().min(1).max(40);
/** A device may sell into one account, or into all. */
const AccountId = Id.nullable();

/** A till with the link that pairs a device, once and within ten minutes. The node tells it only this once. */
const NewPairing = z.object({ till: PairedTill, link: z.url(), endsAt: z.date() });
export type NewPairing = z.infer<typeof NewPairing>;

const NO_SUCH_TILL = { status: 404, message: texts.noSuchTill };
const ACCOUNT_GONE = { status: 404, message: texts.noSuchAccount };
const TILL_NAME_TAKEN = { status: 409, message: texts.tillNameTaken };

/** Devices that are tills. Each may sell, and nothing else (`paired-tills.ts`). */
export const tills = {
  /** Those that were not removed, the oldest first. */
  list: reads(managers, 'The phones and tablets that are tills.')
    .route({ method: 'GET', path: '/tills' })
    .output(z.object({ tills: z.array(PairedTill) })),
  add: does(managers, 'sign_ins', 'till.added', 'Adds a till, and makes the link that pairs a device with it, once within ten minutes.')
    .route({ method: 'POST', path: '/tills', successStatus: 201 })
    .input(z.object({ name: TillName, accountId: AccountId.default(null) }))
    .errors({ TILL_NAME_TAKEN, ACCOUNT_GONE, TOO_MANY_TILLS: { status: 409, message: texts.tooManyTills } })
    .output(NewPairing),
  /** Changes the name, or the account into which it sells. Sales that were made keep the name. */
  change: does(managers, 'sign_ins', 'till.changed', 'Changes the name of a till, or the account into which it sells.')
    .route({ method: 'PATCH', path: '/tills/{id}' })
    .input(z.object({ id: Id, name: TillName, accountId: AccountId }))
    .errors({ NO_SUCH_TILL, TILL_NAME_TAKEN, ACCOUNT_GONE })
    .output(PairedTill),
  /** Refuses its device until it may go on. */
  pause: does(managers, 'sign_ins', 'till.paused', 'Refuses the device of a till until it may go on.')
    .route({ method: 'POST', path: '/tills/{id}/pause' })
    .input(z.object({ id: Id }))
    .errors({ NO_SUCH_TILL })
    .output(PairedTill),
  goOn: does(managers, 'sign_ins', 'till.went_on', 'Lets the device of a till sell again.')
    .route({ method: 'POST', path: '/tills/{id}/go-on' })
    .input(z.object({ id: Id }))
    .errors({ NO_SUCH_TILL })
    .output(PairedTill),
  /** Makes another pairing link. The device that is paired now is refused at once. */
  pairAnew: does(managers, 'sign_ins', 'till.pairing_made', 'Makes another pairing link. The device that is paired is refused at once.')
    .route({ method: 'POST', path: '/tills/{id}/pairing' })
    .input(z.object({ id: Id }))
    .errors({ NO_SUCH_TILL })
    .output(NewPairing),
  /** Removes it for good. Its device is refused at once; its sales stay. */
  remove: does(managers, 'sign_ins', 'till.removed', 'Removes a till. Its device is refused at once, and its sales stay.')
    .route({ method: 'DELETE', path: '/tills/{id}' })
    .input(z.object({ id: Id }))
    .errors({ NO_SUCH_TILL })
    .output(z.object({ removed: z.literal(true) })),
};
