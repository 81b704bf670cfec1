import type { HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import type { OperatorContext } from '../../context.ts';

/** Reports that the node refuses requests because it has too much to do. It reports nothing while it refuses none. */
export function overloadHealth({ refusals }: Pick<OperatorContext, 'refusals'>): HealthCheck[] {
  const current = refusals?.current;
  return current === undefined ? [] : [{ name: 'overload', state: 'warning', since: current.since, refused: current.refused }];
}
