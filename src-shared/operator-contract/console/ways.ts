import { Registration } from '../../people/passkey-answers.ts';
import { LEAST_PASSWORD } from '../../people/password-rules.ts';
import { PIN_FAULTS } from '../../people/pin-rules.ts';
import { everyone } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { Id } from '../values.ts';

/** A passkey of the person who asks. */
export const Passkey = z.object({
  id: Id,
  name: z.string(),
  /** The domain at which it works, such as `localhost` or `desk.example`. */
  domain: z.string(),
  createdAt: z.date(),
  /** The last time that somebody signed in with it; null before the first time. */
  lastUsedAt: z.date().nullable(),
  /** It waits for an owner: the books were restored from a copy. */
  isPaused: z.boolean(),
});
export type Passkey = z.infer<typeof Passkey>;

/** A browser in which the person who asks may take over with their PIN. */
const PinBrowser = z.object({
  id: Id,
  /** What the browser calls itself. */
  userAgent: z.string(),
  /** The last time that the person signed in there without their PIN. */
  signedInAt: z.date(),
  lastUsedAt: z.date(),
  /** Whether too many wrong PINs were tried. Signing in there without the PIN switches it on again. */
  isPinOff: z.boolean(),
  isThisOne: z.boolean(),
});
export type PinBrowser = z.infer<typeof PinBrowser>;

const RecoveryCodes = z.object({ codes: z.array(z.string()) });

const inBrowser = { NOT_IN_BROWSER: { status: 409, message: texts.notInBrowser } } as const;
const atDomain = { NO_PASSKEYS_HERE: { status: 409, message: texts.noPasskeysHere } } as const;
const tooMany = { TOO_MANY_PASSKEYS: { status: 409, message: texts.tooManyPasskeys } } as const;

/** How the person who asks signs in. Each operation is about that person only, and only a browser may call it. */
export const ways = {
  list: reads(everyone, 'How the person who asks signs in: their passkeys, their password, their PIN and where it works.')
    .route({ method: 'GET', path: '/ways' })
    .errors(inBrowser)
    .output(
      z.object({
        passkeys: z.array(Passkey),
        /** Whether a browser can have passkeys at the address by which it reaches the console. */
        passkeysHere: z.boolean(),
        /** The person's password; null while they have none. */
        password: z.object({ signInName: z.string(), isPaused: z.boolean(), recoveryCodesLeft: z.number().int() }).nullable(),
        pin: z.object({
          /** The time when the person set their PIN; null while they have none. */
          setAt: z.date().nullable(),
          /**
           * The time until which the browser that asks may set one. Null: the person has to sign in there again first.
           */
          maySetUntil: z.date().nullable(),
          /** The browsers in which it works, the one that was used last first. */
          browsers: z.array(PinBrowser),
        }),
      }),
    ),
  /** Begins to make a passkey. The answer is what the browser needs (WebAuthn Level 3, section 5.4). */
  beginPasskey: reads(everyone, 'Begins to make a passkey in the browser that asks.')
    .route({ method: 'POST', path: '/ways/passkey-challenges' })
    .errors({ ...inBrowser, ...atDomain, ...tooMany })
    .output(z.object({ options: z.record(z.string(), z.unknown()) })),
  addPasskey: does(everyone, 'sign_ins', 'passkey.added', 'Adds the passkey that the browser has made.')
    .route({ method: 'POST', path: '/ways/passkeys' })
    .input(z.object({ name: z.string().trim().min(1).max(60), answer: Registration }))
    .errors({ ...inBrowser, ...tooMany, PASSKEY_REFUSED: { status: 409, message: texts.passkeyRefused } })
    .output(z.object({ id: Id })),
  removePasskey: does(everyone, 'sign_ins', 'passkey.removed', 'Removes a passkey of the person who asks.')
    .route({ method: 'DELETE', path: '/ways/passkeys/{id}' })
    .input(z.object({ id: Id }))
    .errors(inBrowser)
    .output(z.object({ removed: z.boolean() })),
  /** Begins to set a password: makes the secret of an app for codes. */
  beginPassword: reads(everyone, 'Begins to set a password: makes the secret for an app that shows codes.')
    .route({ method: 'POST', path: '/ways/password-set-ups' })
    .errors(inBrowser)
    .output(z.object({ setUp: z.string(), secret: z.string(), uri: z.string() })),
  /** Sets or replaces the password. The recovery codes are told only this once. */
  setPassword: does(everyone, 'sign_ins', 'password.set', 'Sets the password of the person who asks, and makes ten recovery codes.')
    .route({ method: 'POST', path: '/ways/password' })
    .input(
      z.object({
        setUp: z.string().max(100),
        signInName: z.string().trim().min(1).max(60),
        password: z.string().min(LEAST_PASSWORD).max(1024),
        code: z.string().regex(/^\d{6}$/),
      }),
    )
    .errors({
      ...inBrowser,
      BEGIN_AGAIN: { status: 409, message: texts.beginAgain },
      WRONG_APP_CODE: { status: 409, message: texts.wrongAppCode },
      SIGN_IN_NAME_TAKEN: { status: 409, message: texts.signInNameTaken },
    })
    .output(RecoveryCodes),
  removePassword: does(everyone, 'sign_ins', 'password.removed', 'Removes the password of the person who asks.')
    .route({ method: 'DELETE', path: '/ways/password' })
    .errors(inBrowser)
    .output(z.object({ removed: z.boolean() })),
  /** Sets or replaces the PIN: six digits, with which the person takes over where they have signed in before. */
  setPin: does(everyone, 'sign_ins', 'pin.set', 'Sets the PIN of the person who asks, within 15 minutes after signing in without one.')
    .route({ method: 'PUT', path: '/ways/pin' })
    .input(z.object({ pin: z.string().max(20) }))
    .errors({
      ...inBrowser,
      WEAK_PIN: { status: 409, message: texts.weakPin, data: z.object({ fault: z.enum(PIN_FAULTS) }) },
      SIGN_IN_AGAIN: { status: 403, message: texts.signInAgain },
    })
    .output(z.object({ set: z.literal(true) })),
  removePin: does(everyone, 'sign_ins', 'pin.removed', 'Removes the PIN of the person who asks.')
    .route({ method: 'DELETE', path: '/ways/pin' })
    .errors(inBrowser)
    .output(z.object({ removed: z.boolean() })),
  /** Makes a browser forget the person, and signs them out there unless it is the one that asks. */
  forgetBrowser: does(
    everyone,
    'sign_ins',
    'browser.forgotten',
    'Makes a browser forget the person who asks: their PIN works there no more, and they are signed out.',
  )
    .route({ method: 'DELETE', path: '/ways/browsers/{id}' })
    .input(z.object({ id: Id }))
    .errors(inBrowser)
    .output(z.object({ forgotten: z.boolean() })),
  /** Makes ten other recovery codes. The former ones end. */
  renewRecoveryCodes: does(everyone, 'sign_ins', 'recovery_codes.made', 'Makes ten other recovery codes. The former ones end.')
    .route({ method: 'POST', path: '/ways/recovery-codes' })
    .errors({ ...inBrowser, NO_PASSWORD: { status: 409, message: texts.noPassword } })
    .output(RecoveryCodes),
};
