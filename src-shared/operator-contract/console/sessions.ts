import { z } from '../../zod.ts';
import { does, reads } from '../operation.ts';
import { owner } from '../roles.ts';
import { Id } from '../values.ts';

/** A browser in which the operator is signed in. */
export const Session = z.object({
  id: Id,
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

/** The browser sessions of a headless node. The desktop app has none. */
export const sessions = {
  list: reads(owner)
    .route({ method: 'GET', path: '/sessions' })
    .output(z.object({ sessions: z.array(Session) })),
  end: does(owner, 'sign_ins', 'operator.signed_out')
    .route({ method: 'DELETE', path: '/sessions/{id}' })
    .input(z.object({ id: Id }))
    .output(Ended),
  /** Ends every session except the one that asks. A script ends them all. */
  endOthers: does(owner, 'sign_ins', 'operator.signed_out').route({ method: 'DELETE', path: '/sessions' }).output(Ended),
};
