import type { OperatorContext } from '../../context.ts';
import { callerOf } from '../../people/calling-person.ts';
import { endIn } from '../../people/known-browsers.ts';
import { passkeyDomain } from '../../people/site.ts';
import type { PersonAtPage } from '../../sign-in/passkeys.ts';
import { recoveryCodesLeft } from '../../sign-in/recovery-codes.ts';
import { operations } from '../guarded-operations.ts';

const os = operations.ways;

/** The person in the browser that calls. @throws what `refusal` makes for scripts and for the desktop window. */
async function atPage(context: OperatorContext, refusal: () => Error): Promise<PersonAtPage> {
  const { session: sessionId, site } = context;
  if (sessionId === undefined || site === undefined) throw refusal();
  return { personId: (await callerOf(context)).id, sessionId, site };
}

async function list(context: OperatorContext, refusal: () => Error) {
  const { personId, sessionId, site } = await atPage(context, refusal);
  const [passkeys, password, left, pin] = await Promise.all([
    context.passkeys.list(personId),
    context.passwords.of(personId),
    recoveryCodesLeft(context.database.read, personId),
    pinAt(context, personId, sessionId),
  ]);
  return {
    passkeys: passkeys.map(({ id, name, rpId, createdAt, lastUsedAt, isPaused }) => ({
      ...{ id, name, domain: rpId, isPaused, createdAt: new Date(createdAt) },
      lastUsedAt: lastUsedAt === null ? null : new Date(lastUsedAt),
    })),
    passkeysHere: passkeyDomain(site) !== undefined,
    password: password === undefined ? null : { signInName: password.signInName, isPaused: password.isPaused, recoveryCodesLeft: left },
    pin,
  };
}

/** The PIN of a person, and where it works. */
async function pinAt({ pins, knownBrowsers, sessions }: OperatorContext, personId: string, sessionId: string) {
  const [setAt, until, browsers, here] = await Promise.all([
    pins.setAt(personId),
    pins.mayBeSetUntil(sessionId),
    knownBrowsers.of(personId),
    sessions.browserOf(sessionId),
  ]);
  return {
    setAt: setAt === undefined ? null : new Date(setAt),
    maySetUntil: until === undefined ? null : new Date(until),
    browsers: browsers.map(({ id, userAgent, signedInAt, lastUsedAt, isPinOff }) => ({
      ...{ id, userAgent, isPinOff, isThisOne: id === here },
      ...{ signedInAt: new Date(signedInAt), lastUsedAt: new Date(lastUsedAt) },
    })),
  };
}

export const waysHandlers = os.router({
  list: os.list.handler(({ context, errors }) => list(context, errors.NOT_IN_BROWSER)),
  beginPasskey: os.beginPasskey.handler(async ({ context, errors }) => {
    const begun = await context.passkeys.beginAdding(await atPage(context, errors.NOT_IN_BROWSER));
    if (!begun.ok) throw begun.error === 'not_here' ? errors.NO_PASSKEYS_HERE() : errors.TOO_MANY_PASSKEYS();
    return { options: { ...begun.value } };
  }),
  addPasskey: os.addPasskey.handler(async ({ context, input, errors }) => {
    const added = await context.passkeys.add(await atPage(context, errors.NOT_IN_BROWSER), input.name, input.answer);
    if (!added.ok) throw added.error === 'too_many' ? errors.TOO_MANY_PASSKEYS() : errors.PASSKEY_REFUSED();
    return { id: added.value };
  }),
  removePasskey: os.removePasskey.handler(async ({ context, input, errors }) => {
    const { personId } = await atPage(context, errors.NOT_IN_BROWSER);
    return { removed: await context.passkeys.remove(personId, input.id) };
  }),
  beginPassword: os.beginPassword.handler(
    async ({ context, errors }) => await context.passwords.begin(await atPage(context, errors.NOT_IN_BROWSER)),
  ),
  setPassword: os.setPassword.handler(async ({ context, input, errors }) => {
    const set = await context.passwords.set(await atPage(context, errors.NOT_IN_BROWSER), input);
    if (set.ok) return { codes: set.value };
    if (set.error === 'name_taken') throw errors.SIGN_IN_NAME_TAKEN();
    throw set.error === 'wrong_code' ? errors.WRONG_APP_CODE() : errors.BEGIN_AGAIN();
  }),
  removePassword: os.removePassword.handler(async ({ context, errors }) => {
    const { personId } = await atPage(context, errors.NOT_IN_BROWSER);
    return { removed: await context.passwords.remove(personId) };
  }),
  setPin: os.setPin.handler(async ({ context, input, errors }) => {
    const { personId, sessionId } = await atPage(context, errors.NOT_IN_BROWSER);
    const set = await context.pins.set(personId, sessionId, input.pin);
    if (set.ok) return { set: true as const };
    throw set.error === 'sign_in_again' ? errors.SIGN_IN_AGAIN() : errors.WEAK_PIN({ data: { fault: set.error } });
  }),
  removePin: os.removePin.handler(async ({ context, errors }) => {
    const { personId } = await atPage(context, errors.NOT_IN_BROWSER);
    return { removed: await context.pins.remove(personId) };
  }),
  forgetBrowser: os.forgetBrowser.handler(async ({ context, input, errors }) => {
    const { personId, sessionId: except } = await atPage(context, errors.NOT_IN_BROWSER);
    const ended = await endIn(context, { browserId: input.id, personId, except });
    context.sessions.tellEnded(ended ?? []);
    return { forgotten: ended !== undefined };
  }),
  renewRecoveryCodes: os.renewRecoveryCodes.handler(async ({ context, errors }) => {
    const { personId } = await atPage(context, errors.NOT_IN_BROWSER);
    const codes = await context.passwords.renewRecoveryCodes(personId);
    if (codes === undefined) throw errors.NO_PASSWORD();
    return { codes };
  }),
});
