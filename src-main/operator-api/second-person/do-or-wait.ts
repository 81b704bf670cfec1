import type { OperatorContext } from '../context.ts';
import { NeedsSecond } from './limits.ts';
import { type AskProblem, askForSecond, type NewAct } from './waiting-acts.ts';

const PROBLEMS = { key: 'NEEDS_A_PERSON', too_many: 'TOO_MANY_WAITING', ended: 'WAITING_ENDED' } as const;

type Code = (typeof PROBLEMS)[AskProblem];

/** The errors of an operation that may wait for a second person. */
type WaitingErrors = { readonly [C in Code]: () => Error } & {
  readonly WAITS_FOR_SECOND: (options: { data: { id: string; expiresAt: Date } }) => Error;
};

/**
 * Does an act, or lets it wait when it needs a second person.
 * @param work does it, and throws NeedsSecond out of its write.
 * @param act what waits. It is made only then.
 */
export async function doOrWait<T>(
  context: OperatorContext,
  errors: WaitingErrors,
  work: () => Promise<T>,
  act: () => Promise<NewAct>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof NeedsSecond)) throw error;
  }
  const asked = await askForSecond(context, await act());
  if (!asked.ok) throw errors[PROBLEMS[asked.error]]();
  throw errors.WAITS_FOR_SECOND({ data: { id: asked.value.id, expiresAt: new Date(asked.value.expiresAt) } });
}
