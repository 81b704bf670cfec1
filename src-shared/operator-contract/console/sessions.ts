import { everyone } from '../../people/roles.ts';
import { z } from '../../zod.ts';
import { does, reads } from '../operation.ts';
import { Id } from '../values.ts';
import { Person } from './people.ts';

/** A browser in which a person is signed in. */
export const Session = z.object({
  id: Id,
  /** Who is signed in. */
  person: Person.pick({ id: true, name: true, role: true, isYou: true }),
  /** What the browser calls itself (`User-Agent`), cut after 300 characters. Any program may claim any name. */
  userAgent: z.string(),
  signedInAt: z.date(),
  /** It is exact to a minute. */
  lastUsedAt: z.date(),
  /** Whether this session has asked. */
  isThisOne: z.boolean(),
});
export type Session = z.infer<typeof Session>;

const Ended = z.object({
  /** How many sessions have ended. */
  ended: z.number().int(),
});

/**
 * The browser sessions of a headless node. The desktop app has none. Everybody sees and ends their own, and an owner
 * those of all.
 */
export const sessions = {
  list: reads(everyone, 'The browsers in which the caller is signed in; for an owner those of everybody.')
    .route({ method: 'GET', path: '/sessions' })
    .output(z.object({ sessions: z.array(Session) })),
  end: does(everyone, 'sign_ins', 'operator.signed_out', 'Signs one browser out. Only an owner signs out the browsers of others.')
    .route({ method: 'DELETE', path: '/sessions/{id}' })
    .input(z.object({ id: Id }))
    .output(Ended),
  /** Ends the person's sessions except the one that asks. A script ends those of everybody. */
  endOthers: does(everyone, 'sign_ins', 'operator.signed_out', 'Signs the other browsers of the caller out. A script signs everybody out.')
    .route({ method: 'DELETE', path: '/sessions' })
    .output(Ended),
};
