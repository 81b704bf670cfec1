import type { HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import type { OperatorContext } from '../../context.ts';

/** Whether anybody has changed or removed something the operator did from its log. */
export async function activityHealth({ activityCheck }: OperatorContext): Promise<HealthCheck> {
  const found = await activityCheck.look();
  return { name: 'activity', state: found.whole ? 'good' : 'bad', brokenAt: found.whole ? null : found.brokenAt };
}
