import { asc } from 'drizzle-orm';
import { z } from '../../../src-shared/zod.ts';
import type { Reader } from '../database/database.ts';
import { replicas } from './tables.ts';

/** What a replica tells of itself with each beat. */
const ReplicaReport = z.object({
  /** The clock of the database server is this far ahead, in milliseconds. */
  ahead: z.number(),
  /** How many turns it has had a second since the beat before. */
  turns: z.number().nullable(),
});
export type ReplicaReport = z.infer<typeof ReplicaReport>;

/** A replica as the others know it. */
type ListedReplica = Omit<typeof replicas.$inferSelect, 'report'> & {
  /** It is undefined before the first beat, and while another version tells other things. */
  readonly report: ReplicaReport | undefined;
};

/** Lists the replicas that live, by their names. Whoever finds a dead one removes it. */
export async function listReplicas(read: Pick<Reader, 'select'>): Promise<ListedReplica[]> {
  const rows = await read.select().from(replicas).orderBy(asc(replicas.name), asc(replicas.id));
  return rows.map((row) => ({ ...row, report: reportIn(row.report) }));
}

function reportIn(text: string): ReplicaReport | undefined {
  try {
    return ReplicaReport.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
