import type { OperatorContext } from '../context.ts';
import { callerOf } from '../people/calling-person.ts';
import type { ListedSession } from '../people/sessions.ts';
import { operations } from './guarded-operations.ts';

const os = operations.sessions;

/** The sessions that the caller may see and end: an owner those of all, everybody else their own. */
async function visible(context: OperatorContext): Promise<ListedSession[]> {
  const { id } = await callerOf(context);
  const sessions = await context.sessions.list();
  return context.role === 'owner' ? sessions : sessions.filter(({ personId }) => personId === id);
}

async function list(context: OperatorContext) {
  const [sessions, people, you] = await Promise.all([visible(context), context.people.list(), callerOf(context)]);
  return sessions.flatMap(({ id, personId, userAgent, createdAt, lastUsedAt }) => {
    const person = people.find((one) => one.id === personId);
    if (person === undefined) return [];
    const { name, role } = person;
    return [
      {
        ...{ id, userAgent, signedInAt: new Date(createdAt), lastUsedAt: new Date(lastUsedAt) },
        person: { id: personId, name, role, isYou: personId === you.id },
        isThisOne: id === context.session,
      },
    ];
  });
}

export const sessionsHandlers = os.router({
  list: os.list.handler(async ({ context }) => ({ sessions: await list(context) })),
  end: os.end.handler(async ({ context, input }) => {
    // A session of somebody else is for the caller as good as none.
    const mine = (await visible(context)).filter(({ id }) => id === input.id);
    return {
      ended: await context.sessions.end(
        mine.map(({ id }) => id),
        true,
      ),
    };
  }),
  endOthers: os.endOthers.handler(async ({ context }) => {
    const caller = await callerOf(context);
    const all = context.caller === 'script' && context.role === 'owner';
    const others = (await visible(context)).filter(({ id, personId }) => id !== context.session && (all || personId === caller.id));
    return {
      ended: await context.sessions.end(
        others.map(({ id }) => id),
        true,
      ),
    };
  }),
});
