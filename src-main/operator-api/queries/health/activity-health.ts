import type { HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import type { OperatorContext } from '../../context.ts';

/** Checks whether anybody has changed or removed an entry of the activity log. */
export async function activityHealth({ activityCheck }: OperatorContext): Promise<HealthCheck> {
  const found = await activityCheck.look();
  return { name: 'activity', state: found.whole ? 'good' : 'bad', brokenAt: found.whole ? null : found.brokenAt };
}
