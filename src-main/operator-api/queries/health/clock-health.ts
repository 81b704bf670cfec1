import type { HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import type { OperatorContext } from '../../context.ts';

/** The largest difference that gives no warning, in milliseconds. Signatures from further in the future are refused. */
const MOST_MS = 30_000;

/** Compares the clock with those of others. It reports nothing while too few have been heard. */
export function clockHealth({ witnesses }: Pick<OperatorContext, 'witnesses'>): HealthCheck[] {
  const difference = witnesses.difference();
  if (difference === undefined) return [];
  const { ahead, parties } = difference;
  return [{ name: 'clock', state: Math.abs(ahead) <= MOST_MS ? 'good' : 'warning', seconds: Math.round(ahead / 1_000), others: parties }];
}
