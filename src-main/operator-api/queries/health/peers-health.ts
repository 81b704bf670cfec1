import type { HealthCheck, PeerCondition } from '../../../../src-shared/operator-contract/health-checks.ts';
import type { OperatorContext } from '../../context.ts';

/** The health tells of this many peers. */
const TOLD = 20;

/** Checks whether the peers work. It reports nothing while there is none. */
export async function peersHealth({ peers }: Pick<OperatorContext, 'peers'>): Promise<HealthCheck[]> {
  if (!peers.any) return [];
  const problems = (await peers.troubled(TOLD)).flatMap(({ row, position, creditLimit }): PeerCondition[] => {
    const peer = row.name;
    if (row.state === 'paused') return [{ code: 'paused', peer }];
    const { lastProblem } = peers.sightingOf(row.id);
    const owing = position + row.inFlight;
    return [
      ...(lastProblem === null ? [] : [{ code: 'no_answer' as const, peer, problem: lastProblem }]),
      ...(position < 0n && -position >= creditLimit ? [{ code: 'owes_too_much' as const, peer }] : []),
      ...(row.debtLimit !== null && owing > 0n && owing >= row.debtLimit ? [{ code: 'owed_too_much' as const, peer }] : []),
    ];
  });
  return [{ name: 'peers', state: problems.length === 0 ? 'good' : 'warning', problems }];
}
