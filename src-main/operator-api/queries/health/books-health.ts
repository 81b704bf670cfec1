import type { DamageValue, HealthCheck } from '../../../../src-shared/operator-contract/health-checks.ts';
import type { OperatorContext } from '../../context.ts';

type Parts = Pick<OperatorContext, 'audit' | 'walletAddresses' | 'peers'>;

/** How much damage is told at most. The operator does the same about more of it. */
const MOST = 100;

/** The damage that the audit has found, oldest first, with the names by which the operator knows accounts and peers. */
export async function booksDamages(parts: Parts): Promise<DamageValue[]> {
  const damages = parts.audit.damages.slice(0, MOST);
  if (damages.length === 0) return [];
  return await Promise.all(
    damages.map(async ({ owner, finding, place, goodAt, foundAt }) => ({
      name: owner === '' ? null : await nameOf(parts, owner),
      ...{ finding, place },
      goodAt: goodAt === null ? null : new Date(goodAt),
      foundAt: new Date(foundAt),
    })),
  );
}

/** What names an owner may be damaged, too. Its id still tells which one it is. */
async function nameOf({ walletAddresses, peers }: Parts, owner: string): Promise<string> {
  try {
    return (await walletAddresses.byId(owner))?.name ?? (await peers.registry.get(owner))?.row.name ?? owner;
  } catch {
    return owner;
  }
}

/** Reports that the check of the books fails, so that nobody would notice damage. It reports nothing otherwise. */
export function auditHealth({ audit }: Pick<OperatorContext, 'audit'>): HealthCheck[] {
  return audit.failedAt === undefined ? [] : [{ name: 'audit', state: 'warning', since: new Date(audit.failedAt) }];
}
