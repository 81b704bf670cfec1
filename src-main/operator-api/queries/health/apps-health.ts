import type { HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import type { OperatorContext } from '../../context.ts';

/** Reports permissions that are frozen since the books were restored. It reports nothing while there are none. */
export async function appsHealth({ access }: Pick<OperatorContext, 'access'>): Promise<HealthCheck[]> {
  const frozen = await access.views.countFrozen();
  return frozen === 0 ? [] : [{ name: 'apps', state: 'warning', frozen }];
}
