import { everyone, owner } from '../people/roles.ts';
import { z } from '../zod.ts';
import { operatorErrors as texts } from './error-messages.ts';
import { does, reads } from './operation.ts';

/** A new passphrase of the lock. A person types it many times a day. Wrong ones cause a growing delay. */
const LockPassphrase = z.string().min(8).max(1024);

/** A passphrase that a person types to show that they know it. It may be older than the rule for new ones. */
export const TypedPassphrase = z.string().min(1).max(1024);

export const LockSettings = z.object({
  /** The console locks when nobody has used it for so many minutes. Null means never. */
  idleMinutes: z.number().int().min(1).max(1440).nullable(),
  /** Whether the console is locked at every start. Otherwise it starts as it was when the node ended. */
  atStart: z.boolean(),
});
export type LockSettings = z.infer<typeof LockSettings>;

/** Why the console was locked. */
export const LockReason = z.enum(['operator', 'idle', 'sleep', 'user_switch', 'start']);
export type LockReason = z.infer<typeof LockReason>;

export const Lock = z.object({
  /** Whether there is a passphrase. Without one the console cannot be locked. */
  protected: z.boolean(),
  locked: z.boolean(),
  /** It is null while the console is not locked. */
  reason: LockReason.nullable(),
  /** The seconds until the lock checks a passphrase again after wrong ones; 0 when one may be tried now. */
  secondsLeft: z.number().int(),
  settings: LockSettings,
});
export type Lock = z.infer<typeof Lock>;

const Wait = z.object({ secondsLeft: z.number().int() });

/** The errors of operations that ask for the lock's passphrase. */
export const wrongPassphrase = {
  WRONG_PASSPHRASE: { status: 403, message: texts.wrongPassphrase, data: Wait },
  TOO_MANY_ATTEMPTS: { status: 429, message: texts.tooManyAttempts, data: Wait },
};
const notProtected = { NOT_PROTECTED: { status: 409, message: texts.notProtected } };

export const lock = {
  state: reads(everyone, 'Whether the console is locked, and how its lock is set.').route({ method: 'GET', path: '/lock' }).output(Lock),
  now: does(everyone, 'sign_ins', 'console.locked', 'Locks the console. Scripts are refused as well until it is opened.')
    .route({ method: 'POST', path: '/lock' })
    .errors(notProtected)
    .output(Lock),
  open: does(everyone, 'sign_ins', 'console.unlocked', 'Opens the console with the passphrase of its lock.')
    .route({ method: 'POST', path: '/lock/open' })
    .input(z.object({ passphrase: TypedPassphrase }))
    .errors({ ...wrongPassphrase, ...notProtected })
    .output(Lock),
  /**
   * Notes that a person uses the console. Reading does not show that, because the console reads every change by itself.
   */
  inUse: reads(everyone, 'Notes that a person uses the console, so that it does not lock itself.')
    .route({ method: 'POST', path: '/lock/in-use' })
    .output(z.object({ noted: z.literal(true) })),
  /** Sets the first passphrase. The console stays open. */
  protect: does(owner, 'settings', 'lock.set', 'Sets the first passphrase of the lock. The console stays open.')
    .route({ method: 'POST', path: '/lock/passphrase' })
    .input(z.object({ passphrase: LockPassphrase, settings: LockSettings }))
    .errors({ PROTECTED_ALREADY: { status: 409, message: texts.protectedAlready } })
    .output(Lock),
  changePassphrase: does(owner, 'settings', 'lock.changed', 'Replaces the passphrase of the lock.')
    .route({ method: 'PUT', path: '/lock/passphrase' })
    .input(z.object({ current: TypedPassphrase, passphrase: LockPassphrase }))
    .errors({ ...wrongPassphrase, ...notProtected })
    .output(Lock),
  removePassphrase: does(owner, 'settings', 'lock.removed', 'Removes the passphrase. The console cannot be locked any more.')
    .route({ method: 'POST', path: '/lock/passphrase/remove' })
    .input(z.object({ current: TypedPassphrase }))
    .errors({ ...wrongPassphrase, ...notProtected })
    .output(Lock),
  changeSettings: does(owner, 'settings', 'lock.changed', 'Sets when the console locks itself.')
    .route({ method: 'PUT', path: '/lock/settings' })
    .input(LockSettings)
    .errors(notProtected)
    .output(Lock),
};
