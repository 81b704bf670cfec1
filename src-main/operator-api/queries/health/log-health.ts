import type { HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import { logCondition } from '../../../platform/logs/logger.ts';
import type { OperatorContext } from '../../context.ts';

/** Reports a log that cannot be written. It reports nothing when no line has ever waited too long. */
export function logHealth({ log }: Pick<OperatorContext, 'log'>): HealthCheck[] {
  const { lost, waits } = logCondition(log);
  return lost === 0 && !waits ? [] : [{ name: 'log', state: waits ? 'warning' : 'good', lost, waits }];
}
