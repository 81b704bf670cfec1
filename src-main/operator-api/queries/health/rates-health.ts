import type { HealthCheck, RateCondition } from '../../../../src-shared/operator-contract/health-checks.ts';
import { listPairs } from '../../../exchange/pairs.ts';
import { problemOf } from '../../../exchange/sources/rate-sources.ts';
import type { OperatorContext } from '../../context.ts';

/** The health tells of this many conditions. */
const TOLD = 20;
/** The node tells the operator after this many looks in a row that bring nothing. One alone is a short interruption. */
const FAILURES = 3;

type Parts = Pick<OperatorContext, 'database' | 'clock' | 'rateSources'>;

/** Checks the pairs that follow the sources, and the sources. It reports nothing while there are none. */
export async function ratesHealth(context: Parts): Promise<HealthCheck[]> {
  const followed = (await listPairs(context)).filter((pair) => pair.followed !== undefined);
  const sources = (await context.rateSources.list()).filter(({ isOn }) => isOn);
  if (followed.length === 0 && sources.length === 0) return [];
  const ofPairs = followed.flatMap(({ base, quote, counts, followed: row }): RateCondition[] => {
    const pair = { base, quote };
    return [
      ...(counts === 'no_rate' || counts === 'rate_stale' ? [{ code: 'stopped' as const, ...pair }] : []),
      ...(counts === 'by_hand' ? [{ code: 'by_hand' as const, ...pair }] : []),
      ...(row?.refused ? [{ code: 'jump' as const, ...pair }] : []),
    ];
  });
  const ofSources = sources.flatMap((source): RateCondition[] => {
    const problem = problemOf(source);
    return problem === null || source.failures < FAILURES ? [] : [{ code: 'source', name: source.name, problem }];
  });
  const problems = [...ofPairs, ...ofSources].slice(0, TOLD);
  return [{ name: 'rates', state: problems.length === 0 ? 'good' : 'warning', problems }];
}
