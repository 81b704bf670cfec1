import type { HealthCheck } from '../../../../src-shared/operator-contract/node.ts';
import type { OperatorContext } from '../../context.ts';

/** Whether anybody has changed or removed something the operator did from its log. */
export async function activityHealth({ activityCheck }: OperatorContext): Promise<HealthCheck> {
  const found = await activityCheck.look();
  return found.whole
    ? { name: 'activity', state: 'good', words: 'The log of your actions is whole.' }
    : {
        name: 'activity',
        state: 'bad',
        words: `The log of your actions was changed at entry ${found.brokenAt}. Somebody may have worked on the database: compare it with a backup, and with exports of the log you kept.`,
      };
}
