import { lt } from 'drizzle-orm';
import { DAY_MS, type RetentionRule, removeRows } from '../platform/retention/rule.ts';
import { printJobs } from './tables.ts';

/** Print jobs that have ended. What was printed stands in the activity log, and how often with the receipt. */
export const printJobRule: RetentionRule = {
  kind: 'print_jobs',
  tables: [printJobs],
  keptMs: 7 * DAY_MS,
  removeSome: (database, before) => removeRows(database, printJobs, lt(printJobs.endedAt, before)),
};
