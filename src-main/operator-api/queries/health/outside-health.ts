import type { HealthCheck, OutsideObstacle } from '../../../../src-shared/operator-contract/health-checks.ts';
import { lastBroughtAt } from '../../../peers/received-packets.ts';
import type { OperatorContext } from '../../context.ts';

type Parts = Pick<OperatorContext, 'about' | 'database' | 'lastLook' | 'peers' | 'reach'>;

/** Whether customers elsewhere can pay this node, as far as it knows by itself, and when somebody last did. */
interface Outside {
  /** What is missing on this side; null when nothing is. */
  readonly missing: OutsideObstacle | null;
  readonly lastPaidAt: Date | null;
}

export async function outside(parts: Parts): Promise<Outside> {
  const last = await lastBroughtAt(parts.database.read);
  return { missing: (await obstacle(parts, last)) ?? null, lastPaidAt: last === null ? null : new Date(last) };
}

async function obstacle({ about, lastLook, peers, reach }: Parts, lastPaidAt: number | null): Promise<OutsideObstacle | undefined> {
  if (!about.reachableByOthers) return 'public_address';
  const { failedAt } = lastLook;
  if (failedAt !== null && (lastPaidAt ?? 0) < failedAt) return 'address_unreachable';
  const missing = await reach.anyBack();
  if (missing !== undefined) return missing;
  return peers.anyAnswers ? undefined : 'peer_unreachable';
}

/** Checks whether customers elsewhere can pay. */
export async function outsideHealth(parts: Parts): Promise<HealthCheck> {
  const found = await outside(parts);
  return { name: 'outside', state: found.missing === null ? 'good' : 'warning', ...found };
}
