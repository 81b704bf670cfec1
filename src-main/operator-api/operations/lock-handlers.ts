import type { PassphraseProblem } from '../lock/app-lock.ts';
import { operations } from './guarded-operations.ts';

const os = operations.lock;

/** The errors of the operations that ask for the lock's passphrase. */
interface WrongPassphraseErrors {
  WRONG_PASSPHRASE: (options: { data: { secondsLeft: number } }) => Error;
  TOO_MANY_ATTEMPTS: (options: { data: { secondsLeft: number } }) => Error;
}

export function wrongPassphrase(
  { kind, secondsLeft }: Exclude<PassphraseProblem, { kind: 'not_protected' }>,
  errors: WrongPassphraseErrors,
): Error {
  return kind === 'wrong_passphrase'
    ? errors.WRONG_PASSPHRASE({ data: { secondsLeft } })
    : errors.TOO_MANY_ATTEMPTS({ data: { secondsLeft } });
}

const errorOf = (problem: PassphraseProblem, errors: WrongPassphraseErrors & { NOT_PROTECTED: () => Error }): Error =>
  problem.kind === 'not_protected' ? errors.NOT_PROTECTED() : wrongPassphrase(problem, errors);

export const lockHandlers = os.router({
  state: os.state.handler(({ context }) => context.lock.state()),
  now: os.now.handler(async ({ context, errors }) => {
    if (!context.lock.lock('operator')) throw errors.NOT_PROTECTED();
    await context.lock.holdsEverywhere();
    return context.lock.state();
  }),
  open: os.open.handler(async ({ context, input, errors }) => {
    const opened = await context.lock.open(input.passphrase);
    if (!opened.ok) throw errorOf(opened.error, errors);
    return context.lock.state();
  }),
  inUse: os.inUse.handler(({ context }) => {
    context.lock.noteUse();
    return { noted: true as const };
  }),
  protect: os.protect.handler(async ({ context, input, errors }) => {
    const set = await context.lock.protect(input.passphrase, input.settings);
    if (!set.ok) throw errors.PROTECTED_ALREADY();
    return context.lock.state();
  }),
  changePassphrase: os.changePassphrase.handler(async ({ context, input, errors }) => {
    const changed = await context.lock.changePassphrase(input.current, input.passphrase);
    if (!changed.ok) throw errorOf(changed.error, errors);
    return context.lock.state();
  }),
  removePassphrase: os.removePassphrase.handler(async ({ context, input, errors }) => {
    const removed = await context.lock.removePassphrase(input.current);
    if (!removed.ok) throw errorOf(removed.error, errors);
    return context.lock.state();
  }),
  changeSettings: os.changeSettings.handler(async ({ context, input, errors }) => {
    const changed = await context.lock.changeSettings(input);
    if (!changed.ok) throw errors.NOT_PROTECTED();
    return context.lock.state();
  }),
});
