import { everyone, owner, ROLES } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { operatorErrors as texts } from '../error-messages.ts';
import { does, reads } from '../operation.ts';
import { Id } from '../values.ts';

/** `invited`: the person has not opened their first sign-in link. */
const PERSON_STATES = ['invited', 'active', 'removed'] as const;
export type PersonState = (typeof PERSON_STATES)[number];

/** The first owner has the id `owner`; the ids of all others are made by the node. */
const PersonId = z.union([Id, z.literal('owner')]);

/** A person who works with the console. */
export const Person = z.object({
  id: PersonId,
  /** It is empty for the first owner, until somebody gives them a name. */
  name: z.string(),
  role: z.enum(ROLES),
  state: z.enum(PERSON_STATES).exclude(['removed']),
  /** The end of the sign-in link that waits for them; null when none waits. */
  linkEndsAt: z.date().nullable(),
  /** The number of browsers in which they are signed in. */
  sessions: z.number().int(),
  /** Whether their passkeys or their password wait for an owner: the books were restored from a copy. */
  isPaused: z.boolean(),
  /** Whether they have a PIN. */
  hasPin: z.boolean(),
  /** Whether this person has asked. */
  isYou: z.boolean(),
});
export type Person = z.infer<typeof Person>;

const PersonName = z.string().trim().min(1).max(60);

/** A sign-in link of a person. The node tells its secret only this once. */
const NewLink = z.object({
  id: PersonId,
  name: z.string(),
  secret: z.string(),
  endsAt: z.date(),
  /** The console's URL on the network, where the person opens it. Null where the console is on this computer only. */
  consoleUrl: z.string().nullable(),
});
export type NewLink = z.infer<typeof NewLink>;

const noSuchPerson = { NO_SUCH_PERSON: { status: 404, message: texts.noSuchPerson } } as const;
const lastOwner = { LAST_OWNER: { status: 409, message: texts.lastOwner } } as const;

/** Who works with the console, and as what. */
export const people = {
  /** Who asks. Software with a key has no person. */
  me: reads(everyone, 'Who calls, and the role of the caller.')
    .route({ method: 'GET', path: '/me' })
    .output(
      z.object({
        person: Person.pick({ id: true, name: true }).nullable(),
        /** The till whose device asks; null for everybody else. */
        till: z.object({ id: Id, name: z.string() }).nullable(),
        role: z.enum(ROLES),
        /** The names of the operations that the role may call, such as `accounts.deposit`. */
        may: z.array(z.string()),
        /** Whether the person may do nothing yet but make a passkey or set a password. */
        isLimited: z.boolean(),
        /** Whether the person came in by their PIN. */
        byPin: z.boolean(),
        /** Whether others work with the node, too, so that one may take over from another in this browser. */
        isShared: z.boolean(),
      }),
    ),
  /** Everybody who was not removed, the first one first. */
  list: reads(owner, 'The persons who work with the console.')
    .route({ method: 'GET', path: '/people' })
    .output(z.object({ people: z.array(Person) })),
  /** Adds a person, and makes the link by which they sign in: once, within 24 hours. */
  invite: does(owner, 'sign_ins', 'person.invited', 'Adds a person, and makes a link that signs them in once, within 24 hours.')
    .route({ method: 'POST', path: '/people', successStatus: 201 })
    .input(z.object({ name: PersonName, role: z.enum(ROLES) }))
    .errors({ TOO_MANY_PEOPLE: { status: 409, message: texts.tooManyPeople } })
    .output(NewLink),
  /** Makes another sign-in link for a person. One that waits for them ends. */
  makeLink: does(owner, 'sign_ins', 'person.link_made', 'Makes another sign-in link for a person. One that waits for them ends.')
    .route({ method: 'POST', path: '/people/{id}/link' })
    .input(z.object({ id: PersonId }))
    .errors(noSuchPerson)
    .output(NewLink),
  /** Lets a person sign in again with the passkeys and the password that they had before a restore. */
  allowAgain: does(
    owner,
    'sign_ins',
    'person.allowed_again',
    'Lets a person sign in again, after a restore, with the passkeys and the password from before.',
  )
    .route({ method: 'POST', path: '/people/{id}/allow-again' })
    .input(z.object({ id: PersonId }))
    .errors(noSuchPerson)
    .output(z.object({ allowed: z.literal(true) })),
  /** Changes a name or a role. Another role signs the person out everywhere. */
  change: does(owner, 'sign_ins', 'person.changed', 'Changes the name or the role of a person. Another role signs them out everywhere.')
    .route({ method: 'PATCH', path: '/people/{id}' })
    .input(z.object({ id: PersonId, name: PersonName.optional(), role: z.enum(ROLES).optional() }))
    .errors({ ...noSuchPerson, ...lastOwner })
    .output(z.object({ changed: z.literal(true) })),
  /** Takes the PIN of a person away. */
  removePin: does(owner, 'sign_ins', 'pin.removed', 'Takes the PIN of a person away.')
    .route({ method: 'DELETE', path: '/people/{id}/pin' })
    .input(z.object({ id: PersonId }))
    .output(z.object({ removed: z.boolean() })),
  /** Removes a person and signs them out everywhere. */
  remove: does(owner, 'sign_ins', 'person.removed', 'Removes a person and signs them out everywhere.')
    .route({ method: 'DELETE', path: '/people/{id}' })
    .input(z.object({ id: PersonId }))
    .errors({ ...noSuchPerson, ...lastOwner })
    .output(z.object({ removed: z.literal(true) })),
};
