import type { HealthCheck, PeerCondition } from '../../../../src-shared/operator-contract/health-checks.ts';
import type { OperatorContext } from '../../context.ts';

/** Checks whether the peers work. It reports nothing while there are none. */
export async function peersHealth({ peers }: OperatorContext): Promise<HealthCheck[]> {
  const all = await peers.registry.list();
  if (all.length === 0) return [];
  const problems = all.flatMap(({ row, position, creditLimit }): PeerCondition[] => {
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
