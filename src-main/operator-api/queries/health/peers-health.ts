import type { HealthCheck } from '../../../../src-shared/operator-contract/node.ts';
import type { OperatorContext } from '../../context.ts';

/** Whether the peers can be worked with; nothing while there are none. */
export async function peersHealth({ peers }: OperatorContext): Promise<HealthCheck[]> {
  const all = await peers.registry.list();
  if (all.length === 0) return [];
  const problems = all.flatMap(({ row, position, creditLimit }) => {
    if (row.state === 'paused') return [`${row.name} is paused.`];
    const { lastProblem } = peers.sightingOf(row.id);
    const owing = position + row.inFlight;
    return [
      ...(lastProblem === null ? [] : [`${row.name}: ${lastProblem}`]),
      ...(position < 0n && -position >= creditLimit
        ? [`${row.name} owes as much as it may, so nothing more is taken from it. Settle with it, or raise its credit limit.`]
        : []),
      ...(row.debtLimit !== null && owing > 0n && owing >= row.debtLimit
        ? [`This node owes ${row.name} as much as it may, so nothing more is sent to it. Settle with it, or raise the limit.`]
        : []),
    ];
  });
  return problems.length === 0
    ? [{ name: 'peers', state: 'good', words: 'Every peer can be worked with.' }]
    : [{ name: 'peers', state: 'warning', words: problems.join(' ') }];
}
