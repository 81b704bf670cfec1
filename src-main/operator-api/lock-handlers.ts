import type { PassphraseProblem } from './app-lock.ts';
import { operations } from './handlers.ts';

const os = operations.lock;

/** What the three operations that ask for a passphrase answer to a wrong one. */
interface PassphraseErrors {
  NOT_PROTECTED: () => Error;
  WRONG_PASSPHRASE: (options: { data: { secondsLeft: number } }) => Error;
  TOO_MANY_ATTEMPTS: (options: { data: { secondsLeft: number } }) => Error;
}

function errorOf(problem: PassphraseProblem, errors: PassphraseErrors): Error {
  switch (problem.kind) {
    case 'not_protected':
      return errors.NOT_PROTECTED();
    case 'wrong_passphrase':
      return errors.WRONG_PASSPHRASE({ data: { secondsLeft: problem.secondsLeft } });
    case 'too_many_attempts':
      return errors.TOO_MANY_ATTEMPTS({ data: { secondsLeft: problem.secondsLeft } });
  }
}

export const lockHandlers = os.router({
  state: os.state.handler(({ context }) => context.lock.state()),
  now: os.now.handler(({ context, errors }) => {
    if (!context.lock.lock('operator')) throw errors.NOT_PROTECTED();
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
