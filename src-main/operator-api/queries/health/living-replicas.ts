import { max } from 'drizzle-orm';
import type { ReplicasAnswer } from '../../../../src-shared/operator-contract/health.ts';
import { backups } from '../../../backup/tables.ts';
import { listReplicas } from '../../../platform/replicas/listed.ts';
import type { OperatorContext } from '../../context.ts';

/** The processes that run this node. It is null when the books are in the data folder, where there is only one. */
export async function livingReplicas({ shared, database, clock, about }: OperatorContext): Promise<ReplicasAnswer | null> {
  if (shared === undefined) return null;
  const [server, listed, [exported]] = await Promise.all([
    shared.aboutServer(),
    listReplicas(database.read),
    database.read.select({ at: max(backups.createdAt) }).from(backups),
  ]);
  const own = listed.find(({ id }) => id === shared.ownReplica);
  const exportedAt = exported?.at ?? null;
  return {
    at: new Date(clock.now()),
    engine: `PostgreSQL ${server.version}`,
    database: about.database ?? '',
    archivedAt: server.archivedAt === null ? null : new Date(server.archivedAt),
    exportedAt: exportedAt === null ? null : new Date(Number(exportedAt)),
    replicas: listed.map(({ id, name, version, host, startedAt, leaving, report, configuration }) => ({
      ...{ name, version, host, leaving },
      since: new Date(startedAt),
      own: id === shared.ownReplica,
      clockMs: report?.ahead ?? null,
      turns: report?.turns ?? null,
      // Before this process has entered itself again, nobody can be compared with it.
      alike: own === undefined || configuration === own.configuration,
    })),
  };
}
