import { type ImplementerInternalWithMiddlewares, implement } from '@orpc/server';
import { contract } from '../../../src-shared/operator-contract/contract.ts';
import { actAs } from '../../journal/acting.ts';
import type { Reader } from '../../platform/database/database.ts';
import type { OperatorContext } from '../context.ts';
import { checkInWrite, lockGuard } from '../lock/lock-guard.ts';
import { actNamed } from '../operator-acts.ts';
import { callerOf } from '../people/calling-person.ts';
import { refuseOut, roleGuard } from '../people/role-guard.ts';
import { withoutNul } from '../stored-texts.ts';
import { refuseTill, tillGuard } from '../tills/till-guard.ts';

/**
 * The handlers of all operations begin here, behind the rules for tills, the roles and
 * the lock. Their acts enter the activity log in the
 * write that performs them.
 */
export const operations: ImplementerInternalWithMiddlewares<typeof contract, OperatorContext, OperatorContext> = implement(contract)
  .$context<OperatorContext>()
  // An answer is held against the contract after the last step below, and not before it.
  .$config({ initialOutputValidationIndex: -1 })
  .use(tillGuard)
  .use(roleGuard)
  .use(lockGuard)
  .use(async ({ context, next, path }) => {
    const name = path.join('.');
    if (actNamed(name) === undefined) return await next();
    const isOpen = checkInWrite(context, path);
    const mayBeDone = async (tx: Reader) => {
      await isOpen?.(tx);
      await refuseOut(tx, context);
      await refuseTill(tx, context.till);
    };
    const act = actNamed(name, { mayBeDone, by: await callerOf(context) });
    return act === undefined ? await next() : await actAs(act, async () => await next());
  })
  .use(async ({ next }, _input, answer) => answer(withoutNul((await next()).output)));
