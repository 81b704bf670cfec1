import type { NewLink, Person } from '../../../../src-shared/operator-contract/console/people.ts';
import type { OperatorContext } from '../../context.ts';
import { operationsFor } from '../../operator-acts.ts';
import { callerOf } from '../../people/calling-person.ts';
import type { ListedPerson, People } from '../../people/people.ts';
import { mayCall } from '../../people/role-guard.ts';
import { operationsForTills } from '../../tills/till-guard.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.people;

function represent({ id, name, role, state, linkEndsAt, sessions, isPaused, hasPin }: ListedPerson, you: string | undefined): Person {
  if (state === 'removed') throw new Error('a removed person was listed');
  return {
    id,
    name,
    role,
    state,
    linkEndsAt: linkEndsAt === null ? null : new Date(linkEndsAt),
    sessions,
    isPaused,
    hasPin,
    isYou: id === you,
  };
}

type Made = Extract<Awaited<ReturnType<People['makeLink']>>, { ok: true }>['value'];
const told = ({ endsAt, ...link }: Made, { consoleUrl = null }: { consoleUrl?: string | null | undefined }): NewLink => ({
  ...{ ...link, endsAt: new Date(endsAt), consoleUrl },
});

async function me(context: OperatorContext) {
  const doer = await callerOf(context);
  const { role, isLimited = false, byPin = false, narrowed, till, session } = context;
  if (role === undefined) throw new Error('a caller without a role came past the guard');
  return {
    person: doer.kind === 'key' || doer.kind === 'till' ? null : { id: doer.id, name: doer.name },
    till: till === undefined ? null : { id: till.id, name: till.name },
    role,
    may: till === undefined ? mayCall(operationsFor(role), { isLimited, byPin, narrowed }) : operationsForTills(),
    ...{ isLimited, byPin, isShared: session !== undefined && (await context.people.areSeveral()) },
  };
}

export const peopleHandlers = os.router({
  me: os.me.handler(({ context }) => me(context)),
  list: os.list.handler(async ({ context }) => {
    const { id } = await callerOf(context);
    return { people: (await context.people.list()).map((person) => represent(person, id)) };
  }),
  invite: os.invite.handler(async ({ context, input, errors }) => {
    const made = await context.people.invite(input);
    if (!made.ok) throw errors.TOO_MANY_PEOPLE();
    return told(made.value, context);
  }),
  makeLink: os.makeLink.handler(async ({ context, input, errors }) => {
    const made = await context.people.makeLink(input.id);
    if (!made.ok) throw errors.NO_SUCH_PERSON();
    return told(made.value, context);
  }),
  allowAgain: os.allowAgain.handler(async ({ context, input, errors }) => {
    if (!(await context.people.allowAgain(input.id))) throw errors.NO_SUCH_PERSON();
    return { allowed: true as const };
  }),
  change: os.change.handler(async ({ context, input: { id, ...wanted }, errors }) => {
    const changed = await context.people.change(id, wanted);
    if (!changed.ok) throw changed.error === 'not_found' ? errors.NO_SUCH_PERSON() : errors.LAST_OWNER();
    return { changed: true as const };
  }),
  removePin: os.removePin.handler(async ({ context, input }) => ({ removed: await context.people.removePin(input.id) })),
  remove: os.remove.handler(async ({ context, input, errors }) => {
    const removed = await context.people.remove(input.id);
    if (!removed.ok) throw removed.error === 'not_found' ? errors.NO_SUCH_PERSON() : errors.LAST_OWNER();
    return { removed: true as const };
  }),
});
